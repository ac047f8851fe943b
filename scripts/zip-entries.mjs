// The directory of a zip file without a comment, as vsce writes it. Offsets as in PKWARE's APPNOTE.TXT, 4.3.12 and 4.3.16.

/** By name, in the order of the directory. `at`: where the entry of the directory begins. */
export function zipEntries(archive) {
  const end = archive.length - 22;
  if (archive.readUInt32LE(end) !== 0x06054b50) throw new Error('this is no zip file without a comment');
  const entries = new Map();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error('the directory of the zip file cannot be read');
    const nameLength = archive.readUInt16LE(at + 28);
    entries.set(archive.toString('utf8', at + 46, at + 46 + nameLength), {
      at,
      crc: archive.readUInt32LE(at + 16),
      size: archive.readUInt32LE(at + 24),
    });
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}
