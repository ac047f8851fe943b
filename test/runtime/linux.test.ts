import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixture, reportOf, textReport } from './simulation.ts';

describe('a program for Linux', () => {
  it('has processor time, signals, a process number, mappings and long double', async () => {
    const report = await reportOf(fixture('linux.cu'));
    expect(report).toMatchObject({ stdout: readFileSync(fixture('linux.stdout'), 'utf8'), stderr: '', exit: 0, faults: [] });
  });

  it('may include the headers of Linux and use what they declare', async () => {
    const headers = ['pthread', 'sched', 'signal', 'stdio', 'stdlib', 'sys/resource', 'sys/time', 'sys/times', 'sys/mman', 'unistd'];
    const text = `${headers.map((name) => `#include <${name}.h>\n`).join('')}
      void handler(int, siginfo_t*, void*) {}
      int watch() {
        struct sigaction action = {};
        sigemptyset(&action.sa_mask);
        action.sa_sigaction = handler;
        action.sa_flags = SA_SIGINFO;
        return sigaction(SIGSEGV, &action, nullptr);
      }
      int pin(int processor) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(processor, &set);
        return sched_setaffinity(0, sizeof set, &set);
      }
      unsigned long long stack() {
        struct rlimit limit;
        return getrlimit(RLIMIT_STACK, &limit) == 0 ? limit.rlim_cur : 0;
      }
      int main() { printf("%d\\n", getpid() > 0); }`;
    expect(await textReport(text)).toMatchObject({ stdout: '1\n', exit: 0, faults: [] });
  });

  it('learns of OpenMP from its header only, as with nvcc by itself', async () => {
    const asked = '#ifdef _OPENMP\n  printf("%d", _OPENMP);\n#else\n  printf("none");\n#endif\n';
    expect(await textReport(`int main() {\n${asked}}`)).toMatchObject({ stdout: 'none', faults: [] });
    expect(await textReport(`#include <omp.h>\nint main() {\n${asked}}`)).toMatchObject({ stdout: '201511', faults: [] });
  });
});
