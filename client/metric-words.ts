/** Nsight Compute's metric names in a few words, for places that are too narrow for the names. */

const SPACES = 'global|shared|local';
const OPERATIONS: Readonly<Record<string, string>> = { ld: 'loads', st: 'stores', red: 'reductions', atom: 'atomics' };

/** `l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum`: what is counted, where, for which operation. */
const OF_ACCESSES: readonly (readonly [pattern: RegExp, counted: string])[] = [
  [new RegExp(`^l1tex__t_requests_pipe_lsu_mem_(${SPACES})_op_(\\w+)\\.sum$`), 'requests'],
  [new RegExp(`^l1tex__t_sectors_pipe_lsu_mem_(${SPACES})_op_(\\w+)\\.sum$`), 'sectors'],
  [new RegExp(`^l1tex__data_pipe_lsu_wavefronts_mem_(${SPACES})_op_(\\w+)\\.sum$`), 'wavefronts'],
  [new RegExp(`^l1tex__data_bank_conflicts_pipe_lsu_mem_(${SPACES})_op_(\\w+)\\.sum$`), 'bank conflicts'],
  [new RegExp(`^smsp__sass_inst_executed_op_(${SPACES})_(\\w+)\\.sum$`), 'instructions'],
];

const OTHERS: Readonly<Record<string, string>> = {
  memory_l2_theoretical_sectors_global: 'sectors, global memory',
  memory_l2_theoretical_sectors_global_ideal: 'ideal sectors, global memory',
  'smsp__sass_branch_targets.sum': 'branches',
  'smsp__sass_branch_targets_threads_divergent.sum': 'divergent branches',
  'smsp__sass_branch_targets_threads_uniform.sum': 'uniform branches',
  'lanewise__inst_executed.sum': 'warp instructions',
  'lanewise__thread_inst_executed.sum': 'thread instructions',
  launch__shared_mem_per_block_static: 'bytes of static shared memory',
  launch__shared_mem_per_block_dynamic: 'bytes of dynamic shared memory',
  launch__occupancy_limit_blocks: 'blocks fit, by their number',
  launch__occupancy_limit_warps: 'blocks fit, by warps',
  lanewise__occupancy_limit_shared_mem: 'blocks fit, by shared memory',
};

/** Of a metric that has no words, its name. */
export function metricWords(name: string): string {
  for (const [pattern, counted] of OF_ACCESSES) {
    const [, space, operation] = pattern.exec(name) ?? [];
    if (space) return `${counted}, ${space} ${OPERATIONS[operation] ?? operation}`;
  }
  return OTHERS[name] ?? name;
}
