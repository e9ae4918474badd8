// Reads an ELF file of a 32-bit little-endian machine. SPDX-License-Identifier: MIT-0

const PT_LOAD = 1, SHT_SYMTAB = 2;

/** The loadable segments, {address, data} at their load addresses, and the symbols by name. */
export function readElf(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const word = (at) => view.getUint32(at, true), half = (at) => view.getUint16(at, true);
  const table = (offset, bytes, count) => Array.from({ length: count }, (_, i) => offset + i * bytes);

  const segments = table(word(28), half(42), half(44))
    .filter((header) => word(header) === PT_LOAD && word(header + 16) > 0)
    .map((header) => {
      const offset = word(header + 4);
      return { address: word(header + 12), data: file.subarray(offset, offset + word(header + 16)) };
    });

  const symbols = new Map();
  const sections = table(word(32), half(46), half(48));
  for (const header of sections.filter((at) => word(at + 4) === SHT_SYMTAB)) {
    const names = word(sections[word(header + 24)] + 16);
    for (const entry of table(word(header + 16), 16, word(header + 20) / 16)) {
      const start = names + word(entry);
      symbols.set(file.toString('latin1', start, file.indexOf(0, start)), word(entry + 4));
    }
  }
  return { segments, symbols };
}
