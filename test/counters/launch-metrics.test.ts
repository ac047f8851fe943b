/** Rows of counters to Nsight Compute's names and to lines. */
import { describe, expect, it } from 'vitest';
import { metricWords } from '../../counters/counters.ts';
import { deviceIds, deviceNamed } from '../../devices/devices.ts';
import { h200 } from '../../devices/h200.ts';
import { occupancyLimits } from '../../devices/occupancy.ts';
import { launchMetrics, lineCounters, lineKey, type MetricsInput } from '../../simulator/counters/launch-metrics.ts';
import { createInterpreter } from '../../simulator/interpreter/interpreter.ts';
import { machine } from '../interpreter/engine-harness.ts';

const KERNEL = `
@s = internal addrspace(3) global [32 x i32] undef, align 4
define ptx_kernel void @k(ptr %in, ptr %out) !dbg !4 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !6
  %scaled = shl i32 %tid, 3, !dbg !6
  %from = getelementptr i32, ptr %in, i32 %scaled, !dbg !6
  %v = load i32, ptr %from, align 4, !dbg !6
  %mine = getelementptr [32 x i32], ptr addrspace(3) @s, i32 0, i32 %tid, !dbg !7
  store i32 %v, ptr addrspace(3) %mine, align 4, !dbg !7
  %a = atomicrmw add ptr %out, i32 %v monotonic, !dbg !8
  %x = getelementptr i32, ptr %out, i32 1
  %b = atomicrmw xchg ptr %x, i32 %v monotonic, !dbg !9
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "prog.cu", directory: "/work")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "atomics.h", directory: "/headers")
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3, spFlags: DISPFlagDefinition, unit: !0)
!5 = distinct !DISubprogram(name: "atomicAdd", scope: !3, file: !3, line: 9, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DILocation(line: 5, column: 3, scope: !4)
!7 = !DILocation(line: 6, column: 3, scope: !4)
!8 = !DILocation(line: 20, column: 3, scope: !5, inlinedAt: !10)
!9 = !DILocation(line: 8, column: 3, scope: !4)
!10 = distinct !DILocation(line: 7, column: 3, scope: !4)
`;

function measured(text = KERNEL): MetricsInput {
  const m = machine(createInterpreter, text);
  const args = [m.words(256), m.words(2)];
  const outcome = m.launch('k', { block: 32, args });
  expect(outcome.fault).toBeUndefined();
  return {
    module: m.module,
    launch: { kernel: 'k', grid: [1, 1, 1], block: [32, 1, 1], dynamicSharedBytes: 0, args: [], cooperative: false },
    device: h200,
    counters: outcome.counters,
    isHeader: (file) => file.includes('atomics.h'),
  };
}

describe('metrics of a launch', () => {
  const metrics = launchMetrics(measured());

  it.each([
    ['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum', 1],
    ['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum', 32],
    ['l1tex__t_requests_pipe_lsu_mem_global_op_st.sum', 0],
    // All lanes add to one word: the compiler combines them.
    ['l1tex__t_requests_pipe_lsu_mem_global_op_red.sum', 1],
    ['l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum', 1],
    // An exchange is never combined, and never a reduction.
    ['l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum', 1],
    ['l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum', 32],
    ['lanewise__atomic_turns_global.sum', 33],
    ['l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum', 1],
    ['l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum', 0],
    ['l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum', 0],
    ['launch__shared_mem_per_block_static', 128],
    ['launch__shared_mem_per_block_dynamic', 0],
    ['launch__occupancy_limit_blocks', 32],
    ['launch__occupancy_limit_warps', 64],
  ])('%s', (name, value) => expect(metrics[name]).toBe(value));

  it('say nothing of what is not simulated', () => {
    for (const name of ['launch__registers_per_thread', 'smsp__inst_executed.sum', 'gpu__time_duration.sum'])
      expect(metrics).not.toHaveProperty([name]);
  });
});

it('what libcu++ adds comes back, though nobody reads it: an atomic and no reduction', () => {
  const metrics = launchMetrics(measured(KERNEL.replace('atomicrmw add', 'atomicrmw volatile add')));
  expect(metrics).toMatchObject({
    'l1tex__t_requests_pipe_lsu_mem_global_op_red.sum': 0,
    'l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum': 2,
    'l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum': 33,
  });
});

it('lines get the counts of what was inlined from headers', () => {
  const lines = lineCounters(measured());
  expect(Object.keys(lines).sort()).toEqual(['/work/prog.cu:5', '/work/prog.cu:6', '/work/prog.cu:7', '/work/prog.cu:8']);
  expect(lines['/work/prog.cu:5']).toMatchObject({ globalSectors: 32, globalSectorsIdeal: 4, inst: 4, threadInst: 128 });
  expect(lines['/work/prog.cu:6']).toMatchObject({ sharedWavefronts: 1, sharedWavefrontsIdeal: 1 });
  expect(lines['/work/prog.cu:7']).toMatchObject({ globalSectors: 1, globalSectorsIdeal: 1, atomicRequests: 1, atomicTurns: 1 });
  expect(lines['/work/prog.cu:8']).toMatchObject({ globalSectors: 1, atomicRequests: 1, atomicSectors: 32, atomicTurns: 32 });
});

it('a location inside our own headers only belongs to no line', () => {
  expect(lineKey({ file: '/h/atomics.h', line: 3, column: 1, scope: 'f' }, () => true)).toBeUndefined();
  expect(lineKey(undefined, () => false)).toBeUndefined();
});

describe('devices', () => {
  it.each(deviceIds())('%s is consistent', (id) => {
    const device = deviceNamed(id)!;
    expect(device.sharedPerBlockOptin + device.reservedSharedPerBlock).toBe(device.sharedPerMultiprocessor);
    expect(device.maxThreadsPerMultiprocessor % 32).toBe(0);
    const { blocks, warps, sharedMemory } = occupancyLimits(device, { threads: 256, sharedBytes: 0 });
    expect(blocks).toBe(device.maxBlocksPerMultiprocessor);
    expect(warps).toBe(device.maxThreadsPerMultiprocessor / 256);
    expect(sharedMemory).toBe(blocks);
  });

  it('know no other names', () => expect(deviceNamed('voodoo2')).toBeUndefined());
});

it('every metric has words of its own, for a narrow view', () => {
  const names = Object.keys(launchMetrics(measured()));
  const words = names.map(metricWords);
  expect(new Set(words).size).toBe(names.length);
  expect(words.filter((each) => /_/.test(each))).toEqual([]);
  expect(metricWords('l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum')).toBe('sectors, global loads');
  expect(metricWords('sm__something.sum')).toBe('sm__something.sum');
});
