/**
 * Structures are copied field by field, as nvcc's front end copies those of less than 128 bytes (its PTX, 13.0): a field that was compared
 * before (`if (a[i].key > a[j].key) swap(a[i], a[j])`) is not loaded again, and one that is written next is not stored first. Clang writes
 * a `memcpy`, behind which LLVM knows nothing of the fields. What fields there are, Clang says for its analysis of types
 * (`!tbaa.struct`), which is not used (flags.ts). Arrays and unions in a structure stay copies of their bytes. As a whole, nvcc
 * copies vectors (`float4`, or what else is aligned to more than its fields) and structures with a gap between two fields: of such a one
 * that is copied, changed and copied back, NVVM loads and stores all fields where there are branches in between (its PTX; cuRAND's states
 * are such), which a `freeze` says here, and only those that changed where there are none. The text is what Clang writes before any pass.
 */

/** From here on, nvcc copies by a loop. */
const LOOP_BYTES = 128;
const WORD_BYTES = 4;

interface Piece {
  readonly offset: number;
  readonly bytes: number;
  /** LLVM's type; of what is copied as bytes, none. */
  readonly type?: string;
}

/** What a structure is copied as. */
interface Fields {
  readonly pieces: readonly Piece[];
  /** There are bytes between two fields that belong to none. */
  readonly hasGap: boolean;
}

const BRANCH = /^ +(?:br i1|switch) /m;
const COPY =
  /^ +call void @llvm\.memcpy\.p0\.p0\.i64\(ptr align (\d+) (.+?), ptr align (\d+) (.+?), i64 (\d+), i1 false\)(.*?), !tbaa\.struct !(\d+)$/gm;
const TYPES: Readonly<Record<string, string>> = { float: 'float', double: 'double', 'any pointer': 'ptr' };

/** The module with such copies, and without what it says of types. */
export function withStructuresByField(ir: string): string {
  const nodes = new Map([...ir.matchAll(/^!(\d+) = !\{(.*)\}$/gm)].map(([, number, text]) => [number, text]));
  const known = new Map<string, Fields | undefined>();
  let count = 0;
  const withFields = (text: string) =>
    text.replace(COPY, (line, toAlign, to, fromAlign, from, bytes, suffix, node) => {
      const key = `${node} ${bytes}`;
      if (!known.has(key)) known.set(key, fieldsOf(nodes.get(node) ?? '', Number(bytes), nodes));
      const fields = known.get(key);
      if (!fields || (fields.hasGap && !BRANCH.test(text))) return line;
      const isOverAligned = Math.min(toAlign, fromAlign) > Math.max(...fields.pieces.map((piece) => piece.bytes));
      const copy = { to, from, toAlign: Number(toAlign), fromAlign: Number(fromAlign), suffix, name: `%copied.${count}` };
      if (isOverAligned) return line;
      count++;
      return copyOf(fields, copy);
    });
  return ir.replace(/^define .*?^\}$/gms, withFields).replace(/, !tbaa(?:\.struct)? !\d+/g, '');
}

interface Copy {
  readonly to: string;
  readonly from: string;
  readonly toAlign: number;
  readonly fromAlign: number;
  /** Where it belongs in the source. */
  readonly suffix: string;
  /** How its values begin. */
  readonly name: string;
}

function copyOf({ pieces, hasGap }: Fields, { to, from, toAlign, fromAlign, suffix, name }: Copy): string {
  const loads: string[] = [];
  const stores: string[] = [];
  for (const { offset, bytes, type } of pieces) {
    const [source, target] = [`${name}.from${offset}`, `${name}.to${offset}`];
    loads.push(`  ${source} = getelementptr inbounds i8, ptr ${from}, i64 ${offset}${suffix}`);
    stores.push(`  ${target} = getelementptr inbounds i8, ptr ${to}, i64 ${offset}${suffix}`);
    const [known, own] = [alignAt(fromAlign, offset), alignAt(toAlign, offset)];
    if (type) {
      const loaded = hasGap ? `${name}.loaded${offset}` : `${name}.${offset}`;
      loads.push(`  ${loaded} = load ${type}, ptr ${source}, align ${known}${suffix}`);
      if (hasGap) loads.push(`  ${name}.${offset} = freeze ${type} ${loaded}`);
      stores.push(`  store ${type} ${name}.${offset}, ptr ${target}, align ${own}${suffix}`);
    } else {
      const moved = `ptr align ${own} ${target}, ptr align ${known} ${source}, i64 ${bytes}, i1 false`;
      stores.push(`  call void @llvm.memcpy.p0.p0.i64(${moved})${suffix}`);
    }
  }
  return [...loads, ...stores].join('\n');
}

function alignAt(align: number, offset: number): number {
  return offset === 0 ? align : Math.min(align, offset & -offset);
}

/** Fields and what is behind the last one, which is copied, too; undefined if they are not told apart. */
function fieldsOf(fields: string, total: number, nodes: ReadonlyMap<string, string>): Fields | undefined {
  if (total >= LOOP_BYTES) return undefined;
  const pieces: Piece[] = [];
  let end = 0;
  let hasGap = false;
  for (const [, at, size, tag] of fields.matchAll(/i64 (\d+), i64 (\d+), !(\d+)/g)) {
    const [offset, bytes] = [Number(at), Number(size)];
    if (offset < end) return undefined;
    hasGap ||= offset > end;
    pieces.push({ offset, bytes, type: typeOf(nodes.get(tag) ?? '', bytes, nodes) });
    end = offset + bytes;
  }
  return pieces.some(({ type }) => type) ? { pieces: [...pieces, ...gap(end, total)], hasGap } : undefined;
}

/** Bytes that belong to no field, in whole words where they can be. */
function gap(from: number, to: number): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let offset = from; offset < to; ) {
    const bytes = offset % WORD_BYTES === 0 && offset + WORD_BYTES <= to ? WORD_BYTES : 1;
    pieces.push({ offset, bytes, type: `i${8 * bytes}` });
    offset += bytes;
  }
  return pieces;
}

/** By a tag `!{!base, !accessed, i64 offset}`, whose base names the type. */
function typeOf(tag: string, bytes: number, nodes: ReadonlyMap<string, string>): string | undefined {
  const [, node] = /^!(\d+),/.exec(tag) ?? [];
  const [, name] = /^!"([^"]*)"/.exec((node && nodes.get(node)) ?? '') ?? [];
  if (name === undefined) return undefined;
  if (bytes === 8 && /^p\d+ /.test(name)) return 'ptr';
  if (TYPES[name] && bytes === (name === 'float' ? 4 : 8)) return TYPES[name];
  // Arrays and unions are said to be characters, as characters are.
  if (name === 'omnipotent char' && bytes > 1) return undefined;
  return [1, 2, 4, 8].includes(bytes) ? `i${8 * bytes}` : undefined;
}
