/** What findings say of lanes and threads that do not meet. */
import { popcount } from '../ir/math/bits.ts';

export function absentMessage({ members, absent }: { readonly members: number; readonly absent: number }): string {
  const lanes = `lane${popcount(absent) === 1 ? '' : 's'} ${ranges(absent)}`;
  return `the mask ${hex(members)} names ${lanes}, which ${popcount(absent) === 1 ? 'does' : 'do'} not come here: all lanes that are named have to execute the call, or it is undefined; call it outside of the condition, or name the lanes that take part`;
}

export function incompleteGridMessage({ arrived, expected }: { readonly arrived: number; readonly expected: number }): string {
  return `${expected - arrived} of the grid's ${expected} threads never come to this barrier of the grid: they have exited. All threads of all blocks have to reach it: on a GPU the others may wait for ever; take it out of the condition`;
}

export function hex(mask: number): string {
  return `0x${(mask >>> 0).toString(16).padStart(8, '0')}`;
}

/** "0-3, 7" */
export function ranges(mask: number): string {
  const texts: string[] = [];
  for (let lane = 0; lane < 32; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    const first = lane;
    while (lane < 31 && (mask >>> (lane + 1)) & 1) lane++;
    texts.push(first === lane ? `${first}` : `${first}-${lane}`);
  }
  return texts.join(', ');
}
