// Tar archives: reads those that npm makes, writes ustar.

/** Regular files: name and contents. Knows pax headers with long names, and no other extension. */
export function* archiveEntries(archive) {
  const text = (at, length) =>
    archive
      .subarray(at, at + length)
      .toString('latin1')
      .replace(/\0.*$/s, '');
  let longName;
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const type = String.fromCharCode(archive[at + 156] || 0x30);
    const data = archive.subarray(at + 512, at + 512 + size);
    const prefix = text(at + 345, 155);
    if (type === 'x') longName = /\d+ path=(.*)\n/.exec(data.toString('utf8'))?.[1];
    else {
      if (type === '0') yield [longName ?? (prefix ? `${prefix}/${text(at, 100)}` : text(at, 100)), data];
      longName = undefined;
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

export function archiveOf(entries) {
  const blocks = [];
  for (const [name, data] of entries) {
    blocks.push(headerOf(name, data.length), data, Buffer.alloc((512 - (data.length % 512)) % 512));
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function headerOf(name, size) {
  const header = Buffer.alloc(512);
  const cut = name.length > 100 ? name.lastIndexOf('/', 155) : -1;
  if (name.length - cut - 1 > 100) throw new Error(`the name is too long for an archive: ${name}`);
  header.write(name.slice(cut + 1), 0, 'latin1');
  if (cut > 0) header.write(name.slice(0, cut), 345, 'latin1');
  header.write(`0000644\0${'0000000\0'.repeat(2)}${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0`, 100, 'latin1');
  header.write(' '.repeat(8), 148, 'latin1');
  header.write('0ustar\x0000', 156, 'latin1');
  // ustar: "ustar\0" then "00" at 257.
  header.fill(0, 157, 345);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}
