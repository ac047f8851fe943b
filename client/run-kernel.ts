/** "Run this kernel…": asks for the launch, writes the answers down as a harness beside the kernel's file, and runs that. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { type LanguageClient, RequestType } from 'vscode-languageclient/node';
import type { HarnessParams, HarnessText, RunnableKernel } from '../protocol/harness.ts';
import type { DeviceParams } from '../protocol/run.ts';
import { registerCommand } from './commands.ts';
import { offeredArguments, offeredLaunch, threadsOf } from './harness-form.ts';

const kernelsRequest = new RequestType<DeviceParams, RunnableKernel[], void>('lanewise/kernels');
const harnessRequest = new RequestType<HarnessParams, HarnessText, void>('lanewise/harness');

/** `written`: a harness that there was not. */
export function runKernels(client: LanguageClient, written: (harness: vscode.Uri) => void): vscode.Disposable {
  return registerCommand('lanewise.runKernel', async (target?: unknown, name?: unknown) => {
    const document = vscode.window.activeTextEditor?.document;
    const uri = typeof target === 'string' ? target : document && client.code2ProtocolConverter.asUri(document.uri);
    if (uri === undefined) return;
    await client.start();
    const kernel = await chooseKernel(await client.sendRequest(kernelsRequest, { uri }), name);
    if (!kernel) return;
    const harness = vscode.Uri.file(kernel.harness);
    const again = (await exists(harness)) ? await chooseHarness(harness) : 'ask';
    if (again === undefined) return;
    if (again === 'ask') {
      const text = await askForHarness(client, uri, kernel);
      if (text === undefined) return;
      await vscode.workspace.fs.writeFile(harness, Buffer.from(text));
      written(harness);
    }
    await vscode.window.showTextDocument(harness);
    // Errors are told by the run, and what an earlier one has counted is not what was asked for.
    if ((await vscode.commands.executeCommand('lanewise.run', harness)) !== 'finished') return;
    await vscode.commands.executeCommand('lanewise.showReport', client.code2ProtocolConverter.asUri(harness));
  });
}

async function chooseKernel(kernels: readonly RunnableKernel[], name: unknown): Promise<RunnableKernel | undefined> {
  const named = kernels.find((kernel) => kernel.name === name);
  if (named || kernels.length === 1) return named ?? kernels[0];
  if (kernels.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This file has no kernel.'));
    return undefined;
  }
  const items = kernels.map((kernel) => ({
    label: kernel.name,
    description: kernel.parameters.map(({ type }) => type).join(', '),
    kernel,
  }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Run a Kernel') }))?.kernel;
}

async function chooseHarness(harness: vscode.Uri): Promise<'keep' | 'ask' | undefined> {
  const items = [
    { label: vscode.l10n.t('Run {0}', basename(harness.fsPath)), choice: 'keep' as const },
    { label: vscode.l10n.t('Answer Again'), description: vscode.l10n.t('and write the file anew'), choice: 'ask' as const },
  ];
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('The Kernel Has a Harness') }))?.choice;
}

async function askForHarness(client: LanguageClient, uri: string, kernel: RunnableKernel): Promise<string | undefined> {
  const launch = await vscode.window.showInputBox({
    title: vscode.l10n.t('Launch of {0}', kernel.name),
    prompt: vscode.l10n.t(
      'Blocks, threads of a block and, if it needs any, bytes of dynamic shared memory. dim3(4, 2) where there are more dimensions.',
    ),
    value: offeredLaunch(kernel),
    ignoreFocusOut: true,
  });
  if (launch === undefined) return undefined;
  let args = offeredArguments(kernel, threadsOf(launch));
  const reference = kernel.references.length === 0 ? undefined : await chooseReference(kernel.references);
  if (reference === null) return undefined;
  for (let problem: string | undefined; ; ) {
    const answer = await vscode.window.showInputBox({
      title: vscode.l10n.t('Arguments of {0}', kernel.name),
      prompt:
        problem ??
        vscode.l10n.t(
          'Buffers are zeros, ones, iota or random with so many elements, or values:1,2,3. Anything else is an expression of C++.',
        ),
      value: args,
      ignoreFocusOut: true,
    });
    if (answer === undefined) return undefined;
    const made = await client.sendRequest(harnessRequest, { uri, kernel: kernel.name, launch, args: answer, reference });
    if ('text' in made) return made.text;
    ({ problem } = made);
    args = answer;
  }
}

/** Undefined for none; null where the user gives up. */
async function chooseReference(references: readonly string[]): Promise<string | undefined | null> {
  const none = { label: vscode.l10n.t('Compare with nothing'), name: undefined };
  const items = [
    ...references.map((name) => ({ label: vscode.l10n.t('Compare with {0}', name), description: vscode.l10n.t('on the host'), name })),
    none,
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Is There a Function That Does the Same?') });
  return chosen ? chosen.name : null;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
