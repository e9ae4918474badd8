/* Classifies the sample images of models/digits as a line camera would see them: one row after another, each handed to
 * the network when it comes. The network is compiled with
 *
 *   ripc compile models/digits/digits.tflite --stream-input --prefix digits -o out/
 *
 * SPDX-License-Identifier: MIT-0
 *
 *   main samples.bin */
#include <stdio.h>

#include "digits.h"

static digits_arena_t arena;

/* The only image memory of the program: one row. */
static int8_t row[DIGITS_ROW_BYTES];

/* The digit; negative if the camera stops in the middle of an image, or has no more. */
static int classify(FILE* camera) {
  const int8_t* scores;
  int y, i, best = 0;
  if (digits_begin(&arena) != 0) return -1;
  for (y = 0; y < DIGITS_ROWS; y++) {
    if (fread(row, 1, DIGITS_ROW_BYTES, camera) != DIGITS_ROW_BYTES) return -1;
    if (digits_push_rows(&arena, row, 1) != 1) return -1;
  }
  if (digits_finish(&arena) != 0) return -1;
  scores = digits_output(&arena);
  for (i = 1; i < DIGITS_OUTPUT_CHANNELS; i++) {
    if (scores[i] > scores[best]) best = i;
  }
  return best;
}

int main(int argc, char** argv) {
  FILE* camera = argc == 2 ? fopen(argv[1], "rb") : NULL;
  int digit;
  if (camera == NULL) {
    fprintf(stderr, "usage: %s samples.bin\n", argv[0]);
    return 2;
  }
  while ((digit = classify(camera)) >= 0) printf("%d\n", digit);
  fclose(camera);
  return 0;
}
