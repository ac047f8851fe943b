// Makes one moving PNG of screenshots, at half their size and in 256 colours: node scripts/moving-picture.mjs OUT.png FRAME.png...
// The frames of docs/images/tour.png are those that LANEWISE_THEMES=1 npm run test:vscode leaves in build/screenshots.
import { readFileSync, writeFileSync } from 'node:fs';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const MILLISECONDS = 2500;
const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

const [out, ...files] = process.argv.slice(2);
if (files.length < 2) throw new Error('name the picture to write and at least two frames');
const frames = files.map((file) => halved(decoded(readFileSync(file))));
const [{ width, height }] = frames;
if (frames.some((frame) => frame.width !== width || frame.height !== height)) throw new Error('the frames have different sizes');
const palette = commonest(frames);
writeFileSync(out, assembled());

function assembled() {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits, a palette.
  header.set([8, 3, 0, 0, 0], 8);
  const parts = [SIGNATURE, chunk('IHDR', header), chunk('acTL', numbers(frames.length, 0)), chunk('PLTE', Buffer.from(palette.flat()))];
  let sequence = 0;
  for (const [index, frame] of frames.entries()) {
    const control = Buffer.alloc(26);
    for (const [at, value] of [sequence++, width, height, 0, 0].entries()) control.writeUInt32BE(value, 4 * at);
    control.writeUInt16BE(MILLISECONDS, 20);
    control.writeUInt16BE(1000, 22);
    parts.push(chunk('fcTL', control));
    const data = deflateSync(indexed(frame), { level: 9 });
    parts.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(sequence++), data])));
  }
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
}

function numbers(...values) {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))]);
}

/** Of RGB with eight bits, not interlaced, as Chromium writes them. */
function decoded(png) {
  const found = { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
  if (!png.subarray(24, 29).equals(Buffer.from([8, 2, 0, 0, 0]))) throw new Error('not RGB with eight bits');
  const data = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return { ...found, pixels: unfiltered(inflateSync(Buffer.concat(data)), found) };
}

function unfiltered(data, size) {
  const stride = 3 * size.width;
  const pixels = new Uint8Array(stride * size.height);
  for (let y = 0; y < size.height; y++) {
    const filter = data[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x < 3 ? 0 : pixels[y * stride + x - 3];
      const up = y === 0 ? 0 : pixels[(y - 1) * stride + x];
      const corner = x < 3 || y === 0 ? 0 : pixels[(y - 1) * stride + x - 3];
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[y * stride + x] = data[y * (stride + 1) + 1 + x] + predicted;
    }
  }
  return pixels;
}

function paeth(left, up, corner) {
  const [a, b, c] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs);
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** Each pixel the mean of four. */
function halved({ width: wide, height: high, pixels }) {
  const half = { width: wide >> 1, height: high >> 1 };
  const mean = new Uint8Array(3 * half.width * half.height);
  for (let y = 0; y < half.height; y++)
    for (let x = 0; x < 3 * half.width; x++) {
      const at = 2 * y * 3 * wide + 6 * Math.floor(x / 3) + (x % 3);
      mean[y * 3 * half.width + x] = (pixels[at] + pixels[at + 3] + pixels[at + 3 * wide] + pixels[at + 3 * wide + 3] + 2) >> 2;
    }
  return { ...half, pixels: mean };
}

/** Of colours that differ little, the commonest stands for all. */
function commonest(all) {
  const counts = new Map();
  for (const { pixels } of all)
    for (let at = 0; at < pixels.length; at += 3) {
      const key = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  const chosen = [];
  for (const [key] of [...counts].sort((a, b) => b[1] - a[1])) {
    const colour = [key >> 16, (key >> 8) & 255, key & 255];
    if (chosen.every((other) => distance(colour, other) > 150)) chosen.push(colour);
    if (chosen.length === 256) break;
  }
  return chosen;
}

function distance(a, b) {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

/** Rows of numbers of colours, unfiltered. */
function indexed({ width: wide, height: high, pixels }) {
  const nearest = new Map();
  const rows = Buffer.alloc((wide + 1) * high);
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const at = 3 * (y * wide + x);
      const key = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
      if (!nearest.has(key)) {
        const colour = [pixels[at], pixels[at + 1], pixels[at + 2]];
        const distances = palette.map((other) => distance(colour, other));
        nearest.set(key, distances.indexOf(Math.min(...distances)));
      }
      rows[y * (wide + 1) + 1 + x] = nearest.get(key);
    }
  return rows;
}
