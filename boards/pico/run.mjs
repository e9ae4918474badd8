// node run.mjs firmware.elf [--instructions]: runs it on an emulated RP2040 and ends with its exit code. The program's
// counter counts cycles, or instructions.
//
// The serial port goes to standard output. Faults end the run with exit code 100: an access outside the memory that the
// program was linked for, a write to flash, an unaligned access, a stack below its section. Cycles are those of
// rp2040js, memory without wait states. SPDX-License-Identifier: MIT-0
import { readFileSync } from 'node:fs';
import { RP2040 } from 'rp2040js';
import { readElf } from './elf.mjs';

const FLASH = 0x10000000, RAM = 0x20000000, PERIPHERALS = 0x40000000;
const NANOSECONDS_PER_CYCLE = 8; // 125 MHz
const FAULT = 100;

const { segments, symbols } = readElf(readFileSync(process.argv[2]));
const ramEnd = symbols.get('ram_end'), flashEnd = symbols.get('flash_used_end'), stackLow = symbols.get('stack_low');
const mcu = new RP2040();
const core = mcu.core;

function hex(value) {
  return '0x' + (value >>> 0).toString(16);
}

function fault(what) {
  process.stdout.write(`fault: ${what} at ${hex(core.PC)}, called from ${hex(core.LR)}\n`);
  process.exit(FAULT);
}

// What rp2040js only logs.
mcu.logger = {
  debug() {},
  info() {},
  warn(component, message) { fault(`${component}: ${message}`); },
  error(component, message) { fault(`${component}: ${message}`); },
};

// What rp2040js lets through.
for (const [name, bytes] of [['Uint32', 4], ['Uint16', 2], ['Uint8', 1]]) {
  const read = mcu['read' + name].bind(mcu), write = mcu['write' + name].bind(mcu);
  core['read' + name] = (at) => {
    const address = at >>> 0;
    if (address < PERIPHERALS && !(address >= FLASH && address < flashEnd) && !(address >= RAM && address < ramEnd)) {
      fault(`read of ${hex(address)}`);
    }
    if (address % bytes !== 0) fault(`unaligned read of ${hex(address)}`);
    return read(address);
  };
  core['write' + name] = (at, value) => {
    const address = at >>> 0;
    if (address < RAM || (address >= ramEnd && address < PERIPHERALS)) fault(`write to ${hex(address)}`);
    if (address % bytes !== 0) fault(`unaligned write to ${hex(address)}`);
    write(address, value);
  };
}

for (const { address, data } of segments) {
  if (address >= RAM) mcu.sram.set(data, address - RAM);
  else mcu.flash.set(data, address - FLASH);
}
core.VTOR = symbols.get('vectors');
core.SP = mcu.readUint32(core.VTOR);
core.PC = mcu.readUint32(core.VTOR + 4) & ~1;
core.cycles = 0;

mcu.uart[0].onByte = (byte) => process.stdout.write(String.fromCharCode(byte));

// Semihosting: the program's end, and its cycles so far.
const SYS_EXIT_EXTENDED = 0x20, SYS_ELAPSED = 0x30;
const countsInstructions = process.argv[3] === '--instructions';
let exitCode = null, instructions = 0;
mcu.onBreak = (immediate) => {
  const [operation, block] = core.registers;
  if (immediate !== 0xab) fault(`break ${immediate}`);
  if (operation === SYS_EXIT_EXTENDED) {
    exitCode = mcu.readUint32(block + 4) & 255;
  } else if (operation === SYS_ELAPSED) {
    const elapsed = countsInstructions ? instructions : core.cycles;
    mcu.writeUint32(block, elapsed >>> 0);
    mcu.writeUint32(block + 4, Math.floor(elapsed / 2 ** 32));
    core.registers[0] = 0;
  } else {
    fault(`semihosting call ${operation}`);
  }
};

const { registers } = core;
while (exitCode === null) {
  mcu.clock.tick(core.executeInstruction() * NANOSECONDS_PER_CYCLE);
  instructions++;
  if (registers[13] >>> 0 < stackLow) fault(`stack overflow: its pointer is ${hex(registers[13])}`);
}
process.exitCode = exitCode;
