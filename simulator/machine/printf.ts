/**
 * Device printf: the format string and the argument buffer that Clang packs for vprintf (each argument at its natural alignment,
 * promoted as C's variadic calls are; `long` and pointers have 8 bytes). Limits as CUDA's: no %n, at most 32 arguments there, any here.
 */

export interface PrintfMemory {
  /** Bytes at a generic address. */
  read(address: number, bytes: number): Uint8Array;
}

/** What one call may write, and the longest string that it reads: a width alone asks for gigabytes. */
export const MOST_PRINTF_BYTES = 16 << 20;

/** One call would write more than that. */
export class PrintfTooLong extends Error {}

const DIRECTIVE = /^%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?(hh|h|ll|l|z|j|t|L)?([diouxXcsfFeEgGaAp%])/;

/** A format, taken apart: texts, and directives for arguments. */
export type PrintfFormat = readonly (string | RegExpExecArray)[];

export function parsePrintf(format: Uint8Array): PrintfFormat {
  const text = latin1(format);
  const parts: (string | RegExpExecArray)[] = [];
  let from = 0;
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at)) {
    const match = DIRECTIVE.exec(text.slice(at));
    if (match) {
      if (at > from) parts.push(text.slice(from, at));
      parts.push(match);
      from = at + match[0].length;
    }
    at += match ? match[0].length : 1;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** What printf returns: the number of arguments that the format asks for (CUDA C++ Programming Guide, "Formatted Output"). */
export function argumentsOf(format: PrintfFormat): number {
  let count = 0;
  for (const part of format) {
    if (typeof part === 'string' || part[5] === '%') continue;
    count += 1 + Number(part[2] === '*') + Number(part[3] === '*');
  }
  return count;
}

/** The text that printf writes, as bytes. */
export function formatPrintf(format: PrintfFormat, argumentsAddress: number, memory: PrintfMemory): Uint8Array {
  const args = new ArgumentReader(argumentsAddress, memory);
  let out = '';
  for (const part of format) {
    out += typeof part === 'string' ? part : formatOne(part, args, memory);
    if (out.length > MOST_PRINTF_BYTES) throw new PrintfTooLong();
  }
  const bytes = new Uint8Array(out.length);
  for (let k = 0; k < out.length; k++) bytes[k] = out.charCodeAt(k);
  return bytes;
}

/** Bytes of a string up to its zero. */
export function readString(address: number, memory: PrintfMemory): Uint8Array {
  const bytes: number[] = [];
  for (let at = address; ; at++) {
    const [byte] = memory.read(at, 1);
    if (byte === 0) return Uint8Array.from(bytes);
    if (bytes.length === MOST_PRINTF_BYTES) throw new PrintfTooLong();
    bytes.push(byte);
  }
}

interface Shape {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
}

function formatOne(match: RegExpExecArray, args: ArgumentReader, memory: PrintfMemory): string {
  const [whole, givenFlags, givenWidth, givenPrecision, length, conversion] = match;
  if (conversion === '%') return '%';
  // By far the most frequent one.
  if (whole === '%d') return String(args.int());
  let flags = givenFlags;
  let width = givenWidth === '*' ? args.int() : Number(givenWidth ?? 0);
  if (width < 0) [flags, width] = [`${flags}-`, -width];
  const starred = givenPrecision === '*' ? args.int() : undefined;
  const hasPrecision = whole.includes('.') && (starred === undefined || starred >= 0);
  const precision = hasPrecision ? (starred ?? Number(givenPrecision ?? 0)) : undefined;
  if (Math.max(width, precision ?? 0) > MOST_PRINTF_BYTES) throw new PrintfTooLong();
  const shape: Shape = { flags, width, precision };
  switch (conversion) {
    case 'd':
    case 'i':
      return integer(signedArgument(args, length), 'd', shape);
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      return integer(unsignedArgument(args, length), conversion, shape);
    case 'c':
      return pad(String.fromCharCode(args.int() & 0xff), { ...shape, flags: flags.replace('0', '') });
    case 's': {
      const address = Number(args.long());
      const text = address === 0 ? '(null)' : latin1(readString(address, memory));
      return pad(precision === undefined ? text : text.slice(0, precision), { ...shape, flags: flags.replace('0', '') });
    }
    case 'p': {
      // As glibc, which does it for the GPU.
      const address = args.long();
      return pad(address === 0n ? '(nil)' : `0x${address.toString(16)}`, { ...shape, flags: flags.replace('0', '') });
    }
    default:
      return real(args.double(), conversion, shape);
  }
}

/** Lengths of 8 bytes: long, long long, size_t, intmax_t, ptrdiff_t. */
const WIDE = ['l', 'll', 'z', 'j', 't'];

function signedArgument(args: ArgumentReader, length: string | undefined): bigint {
  if (length && WIDE.includes(length)) return BigInt.asIntN(64, args.long());
  const value = args.int();
  return BigInt(length === 'hh' ? (value << 24) >> 24 : length === 'h' ? (value << 16) >> 16 : value);
}

function unsignedArgument(args: ArgumentReader, length: string | undefined): bigint {
  if (length && WIDE.includes(length)) return args.long();
  const value = args.int();
  return BigInt(length === 'hh' ? value & 0xff : length === 'h' ? value & 0xffff : value >>> 0);
}

function integer(value: bigint, conversion: string, shape: Shape): string {
  const magnitude = value < 0n ? -value : value;
  const base = { d: 10, u: 10, o: 8, x: 16, X: 16 }[conversion]!;
  let digits = magnitude.toString(base);
  if (conversion === 'X') digits = digits.toUpperCase();
  if (shape.precision === 0 && magnitude === 0n) digits = '';
  digits = digits.padStart(shape.precision ?? 0, '0');
  let prefix = value < 0n ? '-' : conversion === 'd' ? signFor(shape.flags) : '';
  if (shape.flags.includes('#') && magnitude !== 0n) {
    if (conversion === 'o' && !digits.startsWith('0')) digits = `0${digits}`;
    if (base === 16) prefix = `0${conversion}`;
  }
  const flags = shape.precision === undefined ? shape.flags : shape.flags.replace('0', '');
  return pad(digits, { ...shape, flags }, prefix);
}

function real(value: number, conversion: string, shape: Shape): string {
  const upper = conversion === conversion.toUpperCase();
  const negative = value < 0 || Object.is(value, -0);
  const prefix = negative ? '-' : signFor(shape.flags);
  const magnitude = Math.abs(value);
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? 'nan' : 'inf';
    return pad(upper ? name.toUpperCase() : name, { ...shape, flags: shape.flags.replace('0', '') }, Number.isNaN(value) ? '' : prefix);
  }
  const precision = shape.precision ?? 6;
  const keepPoint = shape.flags.includes('#');
  const text = finite(magnitude, conversion.toLowerCase(), precision, keepPoint, shape.precision);
  return pad(upper ? text.toUpperCase() : text, shape, prefix);
}

function finite(magnitude: number, conversion: string, precision: number, keepPoint: boolean, given: number | undefined): string {
  if (conversion === 'f') return withPoint(fixed(magnitude, precision), keepPoint);
  if (conversion === 'e') return exponential(magnitude, precision, keepPoint);
  if (conversion === 'a') return hexadecimal(magnitude, given, keepPoint);
  const significant = Math.max(precision, 1);
  const exponent = magnitude === 0 ? 0 : Number(magnitude.toExponential(significant - 1).split('e')[1]);
  const text =
    exponent < -4 || exponent >= significant
      ? exponential(magnitude, significant - 1, keepPoint)
      : withPoint(fixed(magnitude, significant - 1 - exponent), keepPoint);
  return keepPoint ? text : text.replace(/\.?0*(?=e)|(\.\d*?)0+$/, (_, kept: string | undefined) => (kept && kept !== '.' ? kept : ''));
}

/** Exact decimal digits, rounded half to even on the exact value: toFixed stops at 100 digits and at 1e21. */
function fixed(magnitude: number, precision: number): string {
  if (magnitude < 1e21 && precision <= 100) return magnitude.toFixed(precision);
  const places = BigInt(Math.max(0, precision));
  const whole = BigInt(Math.floor(magnitude));
  if (magnitude >= 1e21) return places === 0n ? whole.toString() : `${whole}.${'0'.repeat(precision)}`;
  return magnitude.toFixed(100) + '0'.repeat(precision - 100);
}

function exponential(magnitude: number, precision: number, keepPoint: boolean): string {
  const [digits, exponent] = magnitude.toExponential(Math.min(100, precision)).split('e');
  return `${withPoint(digits, keepPoint)}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

function hexadecimal(magnitude: number, precision: number | undefined, keepPoint: boolean): string {
  if (magnitude === 0) return `0x0${precision ? `.${'0'.repeat(precision)}` : keepPoint ? '.' : ''}p+0`;
  let exponent = Math.floor(Math.log2(magnitude));
  let fraction = magnitude / 2 ** exponent;
  if (fraction >= 2) [fraction, exponent] = [fraction / 2, exponent + 1];
  if (fraction < 1) [fraction, exponent] = [fraction * 2, exponent - 1];
  const scale = 16 ** (precision ?? 13);
  const scaled = Math.round(fraction * scale);
  const whole = Math.floor(scaled / scale);
  let digits = (scaled - whole * scale).toString(16).padStart(precision ?? 13, '0');
  if (precision === undefined) digits = digits.replace(/0+$/, '');
  if (precision === 0) digits = '';
  return `0x${whole}${digits || keepPoint ? `.${digits}` : ''}p${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
}

function withPoint(digits: string, keepPoint: boolean): string {
  return keepPoint && !digits.includes('.') ? `${digits}.` : digits;
}

function signFor(flags: string): string {
  return flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
}

function pad(body: string, { flags, width }: Shape, prefix = ''): string {
  const missing = Math.max(0, width - body.length - prefix.length);
  if (flags.includes('-')) return prefix + body + ' '.repeat(missing);
  return flags.includes('0') ? prefix + '0'.repeat(missing) + body : ' '.repeat(missing) + prefix + body;
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

const WORD_BYTES = new Uint8Array(8);
const WORD = new DataView(WORD_BYTES.buffer);

class ArgumentReader {
  #next: number;

  constructor(
    address: number,
    readonly memory: PrintfMemory,
  ) {
    this.#next = address;
  }

  int(): number {
    this.#load(4);
    return WORD.getInt32(0, true);
  }

  long(): bigint {
    this.#load(8);
    return WORD.getBigUint64(0, true);
  }

  double(): number {
    this.#load(8);
    return WORD.getFloat64(0, true);
  }

  #load(bytes: number): void {
    const address = Math.ceil(this.#next / bytes) * bytes;
    this.#next = address + bytes;
    const source = this.memory.read(address, bytes);
    for (let k = 0; k < bytes; k++) WORD_BYTES[k] = source[k];
  }
}
