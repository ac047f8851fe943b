// Draws the extension's icon: four lanes of a warp, one of which leaves early. Returns the bytes of a PNG.
import { deflateSync } from 'node:zlib';

const size = 256;
const background = [0x12, 0x1c, 0x27];
const lanes = [
  { y: 60, from: 44, to: 212, colour: [0x7a, 0xc1, 0x43] },
  { y: 105, from: 44, to: 132, colour: [0xf2, 0xa3, 0x3a] },
  { y: 150, from: 44, to: 212, colour: [0x7a, 0xc1, 0x43] },
  { y: 195, from: 44, to: 212, colour: [0x7a, 0xc1, 0x43] },
];

export function iconPng() {
  const rows = [];
  for (let y = 0; y < size; y++) {
    const row = Buffer.alloc(1 + 4 * size);
    for (let x = 0; x < size; x++) row.set(pixel(x + 0.5, y + 0.5), 1 + 4 * x);
    rows.push(row);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]);
}

function pixel(x, y) {
  const half = size / 2;
  const corner = 48;
  const outside = Math.hypot(Math.max(0, Math.abs(x - half) - half + corner), Math.max(0, Math.abs(y - half) - half + corner)) - corner;
  let colour = background;
  for (const lane of lanes) {
    const distance = Math.hypot(x - Math.min(Math.max(x, lane.from), lane.to), y - lane.y) - 13;
    colour = colour.map((value, channel) => value + (lane.colour[channel] - value) * coverage(distance));
  }
  return [...colour.map(Math.round), Math.round(255 * coverage(outside))];
}

/** Coverage of a pixel whose centre is this far outside an edge, for antialiasing. */
function coverage(distance) {
  return Math.min(1, Math.max(0, 0.5 - distance));
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** zlib.crc32 of later versions of Node. */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
