/** Programs with several devices. */
import { describe, expect, it } from 'vitest';
import { fixture, reportOf, textReport } from './simulation.ts';

const devices = ['h200', 'h200', 'h200', 'a100'];

describe('several devices', () => {
  it('have memory, variables, streams and peers of their own, and compute bit for bit what one does', async () => {
    const report = await reportOf(fixture('devices.cu'), { devices });
    expect(report.stdout).toBe('0 failures, cudaErrorPeerAccessNotEnabled\n');
    expect(report.devices).toEqual(devices);
    expect(report.estimatedFor).toHaveLength(4);
    const ran = report.kernels.filter(({ kernel }) => kernel.startsWith('diffuse')).map(({ device = 0 }) => device);
    expect([...new Set(ran)].sort()).toEqual([0, 1, 2, 3]);
  });

  it("have faults of their own: another device's memory without peer access", async () => {
    const { stdout, faults } = await reportOf(fixture('devices.cu'), { devices, args: ['fault'] });
    expect(stdout).toBe('0 failures, cudaErrorIllegalAddress\n');
    expect(faults).toHaveLength(1);
    expect(faults[0].message).toMatch(/in cudaMalloc no\. 1 \(64 bytes\) of device 1: .* cudaDeviceEnablePeerAccess\(1, 0\)/);
  });

  it('hide an exchange of halos behind the interior', async () => {
    const run = async (device: string) => {
      const { stdout } = await reportOf(fixture('devices.cu'), { device, devices: Array(4).fill(device), args: ['diffusion'] });
      const [, apart, hidden] = /^apart (.*)\nhidden (.*)\n0 failures\n$/.exec(stdout)!;
      return { apart: Number(apart), hidden: Number(hidden) };
    };
    const nvlink = await run('h200');
    expect(nvlink.hidden).toBeLessThan(0.9 * nvlink.apart);
    // Over PCI Express 3 the exchange takes longer than the interior.
    const pcie = await run('t4');
    expect(pcie.hidden).toBeLessThan(pcie.apart);
    expect(pcie.apart).toBeGreaterThan(1.5 * nvlink.apart);
  });

  it('are refused where there is no such device', async () => {
    await expect(reportOf(fixture('devices.cu'), { devices: ['h200', 'gtx'] })).rejects.toThrow('unknown device \\"gtx\\"; choose h200');
  });

  it('that are not there are named in the report where the program does not look', async () => {
    const { notes } = await textReport('__global__ void k() {}\nint main() {\n  cudaSetDevice(1);\n  k<<<1, 1>>>();\n}');
    expect(notes).toEqual([
      expect.stringMatching(
        /a call failed and the program went on: cudaSetDevice: cudaErrorInvalidDevice \(invalid device ordinal\) at .*:3/,
      ),
    ]);
  });
});
