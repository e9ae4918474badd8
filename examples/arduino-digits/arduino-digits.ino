/* Reads handwritten digits on an Arduino Uno: a convolutional network in 2 KB of RAM.
 *
 * Over the serial line at 115200 baud, send '?' and 196 bytes, an image of 14 x 14 pixels from -128 (paper) to 127 (ink),
 * row by row. The answer is a line: the digit, the score of each of the ten, and the milliseconds that it took. Send 't'
 * for a self-test of the network. SPDX-License-Identifier: MIT-0 */
#include "digits.h"

static digits_arena_t arena;

/* The image goes where the network expects it: nothing is copied, and the run writes over it. */
static void read_image() {
  int8_t *image = digits_input(&arena);
  for (uint16_t i = 0; i < DIGITS_INPUT_BYTES; i++) {
    while (Serial.available() == 0) {
    }
    image[i] = (int8_t)Serial.read();
  }
}

static void classify() {
  const unsigned long start = millis();
  digits_invoke(&arena);
  const unsigned long milliseconds = millis() - start;

  const int8_t *scores = digits_output(&arena);
  uint8_t best = 0;
  for (uint8_t digit = 1; digit < DIGITS_OUTPUT_BYTES; digit++) {
    if (scores[digit] > scores[best]) best = digit;
  }
  Serial.print(F("digit "));
  Serial.print(best);
  Serial.print(F(", scores"));
  for (uint8_t digit = 0; digit < DIGITS_OUTPUT_BYTES; digit++) {
    Serial.print(' ');
    Serial.print(scores[digit]);
  }
  Serial.print(F(", "));
  Serial.print(milliseconds);
  Serial.println(F(" ms"));
}

void setup() {
  Serial.begin(115200);
  Serial.println(F("digits ready"));
}

void loop() {
  switch (Serial.read()) {
    case '?':
      read_image();
      classify();
      break;
    case 't':
      Serial.println(digits_selftest(&arena) == 0 ? F("self-test passed") : F("self-test failed"));
      break;
    default:
      break;
  }
}
