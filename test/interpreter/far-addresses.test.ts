/** Accesses far outside of everything: on each engine a fault that says so, never an access to somebody's memory. */
import { describe, expect, it } from 'vitest';
import { ENGINES, type Machine, machine } from './engine-harness.ts';

const DECLARATIONS = 'declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n';

/** Stores to `element` of the array `%p`; the index of each lane is `%i`, its thread that of `%t`. */
function kernel(body: string): string {
  return `${DECLARATIONS}define ptx_kernel void @k(ptr %p, i64 %n, ptr %cell) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
${body}
  ret void
}`;
}

const BYTES = (n: bigint): Uint8Array => new Uint8Array(BigInt64Array.of(n).buffer);

function launch(m: Machine, n: bigint) {
  const data = m.words(64, 'data');
  const cell = m.words(2, 'cell');
  const { fault } = m.launch('k', { args: [data, BYTES(n), cell] });
  const written = m.read(data, 64);
  m.engine.close();
  return { fault, written };
}

const INDEX = '  %s = mul i64 %w, %n\n';
const STORE = '  store i32 7, ptr %q, align 4';
const NARROW = '  %low = trunc i64 %n to i32\n  %prod = mul i32 %t, %low\n';

/** What goes to the array, and what each lane's distance is multiplied by so that lane 1 wraps round to the start. */
const FORMS: readonly (readonly [what: string, body: string, n: bigint])[] = [
  ['an int', `${NARROW}  %x = sext i32 %prod to i64\n  %q = getelementptr i32, ptr %p, i64 %x\n${STORE}`, 1n << 30n],
  ['a negative int', `${NARROW}  %x = sext i32 %prod to i64\n  %q = getelementptr i32, ptr %p, i64 %x\n${STORE}`, -(1n << 30n)],
  ['an unsigned', `${NARROW}  %x = zext i32 %prod to i64\n  %q = getelementptr i32, ptr %p, i64 %x\n${STORE}`, 3n << 30n],
  ['bytes', `${NARROW}  %x = zext i32 %prod to i64\n  %q = getelementptr i8, ptr %p, i64 %x\n${STORE}`, 1n << 31n],
  ['a long', `${INDEX}  %q = getelementptr i32, ptr %p, i64 %s\n${STORE}`, 1n << 30n],
  ['a long of which a product wraps', `${INDEX}  %q = getelementptr i32, ptr %p, i64 %s\n${STORE}`, 1n << 62n],
  ['rows', `${NARROW}  %x = sext i32 %prod to i64\n  %q = getelementptr [8 x i32], ptr %p, i64 %x, i64 %w\n${STORE}`, 1n << 27n],
  [
    'a field of a structure',
    `${NARROW}  %x = sext i32 %prod to i64\n  %e = getelementptr { i32, i32 }, ptr %p, i64 %x\n  %q = getelementptr i8, ptr %e, i64 4\n${STORE}`,
    1n << 29n,
  ],
  ['twelve bytes', `${NARROW}  %x = sext i32 %prod to i64\n  %q = getelementptr { i32, i32, i32 }, ptr %p, i64 %x\n${STORE}`, 1n << 30n],
  [
    'a number made a pointer',
    `  %b = ptrtoint ptr %p to i64\n${INDEX}  %a = add i64 %b, %s\n  %q = inttoptr i64 %a to ptr\n${STORE}`,
    1n << 32n,
  ],
  [
    'a pointer from memory',
    `  %b = ptrtoint ptr %p to i64\n  %a = add i64 %b, %n\n  store i64 %a, ptr %cell, align 8\n  %l = load ptr, ptr %cell, align 8\n  %q = getelementptr i32, ptr %l, i64 %w\n${STORE}`,
    1n << 32n,
  ],
  [
    'an address that goes on',
    `${NARROW}  %x = sext i32 %prod to i64\n  %e = getelementptr i32, ptr %p, i64 %x\n  %back = sub i64 0, %s2\n  %q = getelementptr i8, ptr %e, i64 %back\n${STORE}`.replace(
      '  %back',
      '  %s2 = mul i64 %w, 1073741824\n  %back',
    ),
    1n << 30n,
  ],
];

for (const [name, createEngine] of ENGINES) {
  describe(`${name}: an index that leaves the address space`, () => {
    it.each(FORMS)('%s', (_, body, n) => {
      const { fault, written } = launch(machine(createEngine, kernel(body)), n);
      expect(fault).toMatchObject({ kind: 'out-of-bounds', thread: [body.includes('%l = load') ? 0 : 1, 0, 0] });
      expect(fault!.message).toContain('outside the address space');
      expect(written.slice(1)).toEqual(new Array(63).fill(0));
    });

    it.each(FORMS)('%s: not if it stays', (_, body) => {
      const { fault } = launch(machine(createEngine, kernel(body.replace('1073741824', '0'))), 0n);
      expect(fault?.message).toBeUndefined();
    });
  });
}
