/**
 * How an H200's texture units weigh and add texels, as measured (test/fixtures/hardware/device): weights are multiples of 1/256, integers
 * are added as integers of 16 bits, and numbers as fixed-point numbers that are aligned with the largest. Not exact: with three
 * coordinates, or two levels of a plane, single weights may be 1/256 off, and 8-bit signed texels the last of 16 bits.
 */
import { halfToNumber } from '../half.ts';
import type { TexelFormat } from './image.ts';

/** Weights are counted in these. */
export const FRACTIONS = 256;

/** A coordinate, or a level, in steps of 1/256: the lower neighbour, and the upper one's weight. */
export interface Fixed {
  readonly index: number;
  readonly share: number;
}

/** The lower of two neighbours, and the upper one's weight. */
export function fixed(coordinate: number): Fixed {
  const steps = Math.floor((coordinate - 0.5) * FRACTIONS + 0.5);
  const index = Math.floor(steps / FRACTIONS);
  return { index, share: steps - index * FRACTIONS || 0 };
}

/** Normalized coordinates have 21 fractional bits. */
export function normalized(coordinate: number): number {
  return Math.floor(coordinate * 2 ** 21) / 2 ** 21;
}

const halfUp = (product: number) => (product + 128) >> 8;
const halfDown = (product: number) => (product + 127) >> 8;

/** `total` shared among the texels at (0, 0), (1, 0), (0, 1) and (1, 1). */
export function planeWeights(x: number, y: number, total: number, isLower = false): readonly [number, number, number, number] {
  const right = halfUp(x * total);
  const below = halfDown(y * total);
  const both = isLower ? right + below - total + halfUp((total - right) * (FRACTIONS - y)) : halfUp(right * y);
  return [total - right - below + both, right - both, below - both, both];
}

/** What the upper of two layers takes of a weight. */
export function upperShare(total: number, share: number): number {
  return halfUp(total * share);
}

/** Adds texels' channels, as they lie in memory, by weights that add up to 256; the result is what the kernel reads. */
export type Sum = (weights: readonly number[], values: readonly number[]) => number;

export function sumOf({ kind, bits }: TexelFormat, sRgb: boolean): Sum {
  if (kind === 'float') return bits === 16 ? (w, v) => aligned(w, v, 10, -14) : (w, v) => aligned(w, v, 23, -126);
  if (sRgb) return (w, v) => aligned(w, v.map(linearOf), 10, -14);
  const wide = bits === 16 ? (v: number) => v : kind === 'unsigned' ? (v: number) => v * 257 : wideSigned;
  const most = kind === 'signed' ? 32767 : 65535;
  return (weights, values) => {
    let sum = 0;
    for (let k = 0; k < weights.length; k++) sum += weights[k] * wide(values[k]);
    return Math.max(-1, Math.floor(sum / FRACTIONS + 0.5) / most);
  };
}

/** Of 127 to 32,767. */
function wideSigned(value: number): number {
  const size = Math.abs(value);
  return Math.sign(value) * (size * 258 + (size >= 64 ? 1 : 0));
}

/** Bits of a texel below those of the largest one that is added. */
const GUARD_BITS = 4;

/** Texels are cut off where the largest ends, but for four bits; the sum is rounded once, ties away from zero. */
function aligned(weights: readonly number[], values: readonly number[], fraction: number, leastExponent: number): number {
  let most = 0;
  let plain = 0;
  for (let k = 0; k < weights.length; k++) {
    if (weights[k] === 0) continue;
    most = Math.max(most, Math.abs(values[k]));
    plain += weights[k] * values[k];
  }
  if (!Number.isFinite(plain) || most === 0) return plain / FRACTIONS;
  const unit = 2 ** (Math.max(exponentOf(most), leastExponent) - fraction - GUARD_BITS);
  let sum = 0;
  for (let k = 0; k < weights.length; k++) if (weights[k] !== 0) sum += weights[k] * Math.trunc(values[k] / unit) * unit;
  const result = sum / FRACTIONS;
  if (result === 0) return 0;
  const last = 2 ** (Math.max(exponentOf(Math.abs(result)), leastExponent) - fraction);
  return Math.sign(result) * Math.floor(Math.abs(result) / last + 0.5) * last;
}

const double = new DataView(new ArrayBuffer(8));

/** floor(log2(x)) of a positive number that is a normal double. */
function exponentOf(x: number): number {
  double.setFloat64(0, x);
  return ((double.getUint16(0) >>> 4) & 0x7ff) - 1023;
}

/** An sRGB channel of 8 bits as an H200 reads it: halves, nearer to IEC 61966-2-1 than half a percent. */
export function linearOf(value: number): number {
  return halfToNumber(Number.parseInt(SRGB.slice(4 * value, 4 * value + 4), 16));
}

const SRGB =
  '00000d00110013801500164017801860190019a01a401ae01b801c201c801ce01d501dc01e301eb01f301fb02018206020b020f8214821a021f0224822a82300' +
  '236023d024182450248824c024f82530257025b025f02630267026b827002748279027e0281828402868289028b828e0291029402968299829c829f82a282a60' +
  '2a902ac02b002b302b602ba02bd02c082c282c402c602c802ca02cc02ce02d002d202d482d682d882db02dd02df82e182e402e682e882eb02ed82f002f282f50' +
  '2f802fa02fd0300030103028304030583070308830a030b830d030e8310031183130314831603180319831b031d031e832003220323832583270329032b032c8' +
  '32e83308332833403360338033a033c033e0340034103420343034403450346834783488349834a834c034d034e034f035083518352835403550356835783590' +
  '35a035b035c835e035f03608361836303640365836703688369836b036c836d836f0370837203738375037683780379037b037c037e037f03808381038203828' +
  '3838384838503860386838783888389038a038b038b838c838d838e038f039003908391839283938394839503960397039803990399839a839b839c839d839e8' +
  '39f83a083a183a283a383a483a583a683a783a883a983aa83ab83ac83ad83ae83af83b083b183b283b403b503b603b703b803b903ba03bb03bd03be03bf03c00';
