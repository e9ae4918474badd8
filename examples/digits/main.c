/* Classifies the ten sample images of models/digits with the code that ripc makes of digits.tflite.
 * SPDX-License-Identifier: MIT-0
 *
 *   main samples.bin samples.tsv
 *
 * samples.bin holds the images as the network takes them: int8, -128 paper to 127 ink. samples.tsv has one line an
 * image, of which the last column is the digit. */
#include <stdio.h>
#include <stdlib.h>

#include "digits.h"

#define SIDE 14
#define PIXELS (SIDE * SIDE)
#define DIGITS 10

static digits_arena_t arena;

/* Two rows of pixels to a line of text: half blocks, upper and lower. */
static void draw(const int8_t* image) {
  static const char* const blocks[4] = {" ", "\xe2\x96\x80", "\xe2\x96\x84", "\xe2\x96\x88"};
  int x, y;
  for (y = 0; y < SIDE; y += 2) {
    fputs("    ", stdout);
    for (x = 0; x < SIDE; ++x) {
      const int upper = image[y * SIDE + x] > -20;
      const int lower = image[(y + 1) * SIDE + x] > -20;
      fputs(blocks[upper + 2 * lower], stdout);
    }
    putchar('\n');
  }
}

static int classify(const int8_t* image) {
  int8_t* input = digits_input(arena.bytes);
  const int8_t* output;
  int i, best = 0;
  for (i = 0; i < PIXELS; ++i) input[i] = image[i];
  if (digits_invoke(arena.bytes) != 0) return -1;
  output = digits_output(arena.bytes);
  for (i = 1; i < DIGITS; ++i) {
    if (output[i] > output[best]) best = i;
  }
  return best;
}

/* The digit in the last column of the next line that has one; negative at the end of the file. */
static int next_label(FILE* labels) {
  char line[256];
  while (fgets(line, sizeof line, labels) != NULL) {
    const char* column = line;
    const char* at;
    char* end;
    long label;
    for (at = line; *at != '\0'; ++at) {
      if (*at == '\t') column = at + 1;
    }
    label = strtol(column, &end, 10);
    if (end != column && label >= 0 && label < DIGITS) return (int)label;
  }
  return -1;
}

int main(int argc, char** argv) {
  int8_t image[PIXELS];
  FILE *samples, *labels;
  int seen = 0, right = 0;
  if (argc != 3) {
    fprintf(stderr, "usage: %s samples.bin samples.tsv\n", argv[0]);
    return 2;
  }
  samples = fopen(argv[1], "rb");
  labels = fopen(argv[2], "r");
  if (samples == NULL || labels == NULL) {
    fprintf(stderr, "%s: cannot open %s\n", argv[0], samples == NULL ? argv[1] : argv[2]);
    return 2;
  }
  if (digits_selftest(arena.bytes) != 0) {
    fprintf(stderr, "%s: the self-test of the network failed\n", argv[0]);
    return 1;
  }
  while (fread(image, 1, PIXELS, samples) == PIXELS) {
    const int label = next_label(labels);
    const int found = classify(image);
    draw(image);
    printf("    this is a %d: %s (it was a %d)\n\n", found, found == label ? "right" : "WRONG", label);
    right += found == label;
    ++seen;
  }
  fclose(samples);
  fclose(labels);
  printf("%d of %d right, in an arena of %u bytes\n", right, seen, DIGITS_ARENA_BYTES);
  return seen > 0 && right == seen ? 0 : 1;
}
