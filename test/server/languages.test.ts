/** Findings and what can be done about them, in the language of the editor. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { speakOfFindings, translated } from '../../server/finding-texts.ts';
import { saidOfRuns } from '../../server/run-texts.ts';
import { Editor, root, wholeFile } from './editor.ts';

const SOURCE = `__global__ void turn(float* out, const float* in, int pitch) {
  __shared__ float s[256];
  s[threadIdx.x] = in[threadIdx.x * 32];
  out[threadIdx.x] = s[255 - threadIdx.x];
}
void run(float* out, const float* in) {
  turn<<<1, 256>>>(out, in, 3);
  cudaBindTexture(nullptr, 0, in, 0);
}
`;

const SAID = {
  fr: {
    strided: /^les lanes d’un warp sont espacées de 128 octets : 32 secteurs par requête au lieu de 4/,
    removed: '`cudaBindTexture` a été supprimé dans CUDA 12 ; utilisez un objet texture (`cudaCreateTextureObject`)',
    related: 'écrit ici',
    fix: 'Placer __syncthreads() entre l’écriture et la lecture',
    off: 'Ignorer missing-barrier ici, avec une raison',
    why: 'La mémoire se déplace par secteurs de 32 octets.',
    all: 'Tout sur uncoalesced-access',
  },
  ja: {
    strided: /^warp の lane が 128 バイト間隔で並んでいます: リクエストあたり 4 セクタで済むところが 32 セクタ/,
    removed: '`cudaBindTexture` は CUDA 12 で削除されました。テクスチャオブジェクト (`cudaCreateTextureObject`) を使ってください',
    related: '書き込みはここ',
    fix: '書き込みと読み出しの間に __syncthreads() を置く',
    off: 'ここで missing-barrier を抑制 (理由を書く)',
    why: 'メモリは 32 バイトのセクタ単位で動きます。',
    all: 'uncoalesced-access の詳細',
  },
  ko: {
    strided: /^warp의 lane들이 128바이트 간격으로 떨어져 있습니다: 요청당 섹터가 4개가 아니라 32개입니다/,
    removed: '`cudaBindTexture`은(는) CUDA 12에서 제거되었습니다. 텍스처 객체(`cudaCreateTextureObject`)을(를) 쓰세요',
    related: '여기서 씀',
    fix: '쓰기와 읽기 사이에 __syncthreads() 넣기',
    off: '여기서 missing-barrier 억제(이유 필요)',
    why: '메모리는 32바이트 섹터 단위로 움직입니다.',
    all: 'uncoalesced-access에 대한 모든 것',
  },
};

describe.each(['fr', 'ja', 'ko'] as const)('in %s', (language) => {
  it('findings, related places and actions are said, and fixes fix', async () => {
    const texts = JSON.parse(readFileSync(join(root, `l10n/bundle.l10n.${language}.json`), 'utf8'));
    const editor = await Editor.start({ pull: true, locale: `${language}-XX`, options: { texts } });
    const uri = editor.open('said.cu', SOURCE);
    const found = await editor.pulled(uri);
    const message = (rule: string) => found.find(({ code }) => code === rule)?.message;
    const said = SAID[language];
    expect(message('uncoalesced-access')).toMatch(said.strided);
    expect(message('removed-api')).toBe(said.removed);
    expect(found.find(({ code }) => code === 'missing-barrier')?.relatedInformation?.map((each) => each.message)).toEqual([said.related]);
    const actions = await editor.actions(uri, wholeFile());
    const fix = actions.find(({ title }) => title === said.fix);
    expect(fix?.diagnostics?.map(({ code }) => code)).toEqual(['missing-barrier']);
    expect(fix?.edit?.changes?.[uri].map(({ newText }) => newText)).toEqual(['__syncthreads(); ']);
    expect(actions.map(({ title }) => title)).toContain(said.off);
    const explained = JSON.stringify((await editor.hover(uri, 2, 24))?.contents);
    for (const text of [said.why, said.all]) expect(explained).toContain(text);
    await editor.stop();
  });
});

describe('a text of which not all has a translation', () => {
  afterAll(() => speakOfFindings(undefined));

  it('stays English', () => {
    speakOfFindings('fr');
    const wording = (blocks: string) => ({ id: 'missing-barrier/race', parts: { object: 's', blocks: { id: blocks } } });
    expect(translated('as it was', wording('noSuchPhrase'))).toBe('as it was');
    expect(translated('as it was', wording('inBlocksOfWarps'))).toMatch(/^dans les blocs de plusieurs warps, lit des éléments de `s`/);
    expect(translated('as it was', { id: 'no-such-rule/message' })).toBe('as it was');
    expect(translated('as it was', undefined)).toBe('as it was');
    speakOfFindings('../../etc');
    expect(translated('as it was', wording('inBlocksOfWarps'))).toBe('as it was');
  });
});

describe('what runs say', () => {
  afterAll(() => speakOfFindings(undefined));
  const race =
    'write and volatile read of element 3 of cudaMalloc no. 1 (64 bytes) in global memory by two threads, in no order: no barrier of the block is between them; put __syncthreads() there';
  const outside =
    'out-of-bounds __global__ write of 4 bytes at 0x7f001000, directly after the end of cudaMalloc no. 1 (64 bytes at 0x7f000fc0)';

  it('is said in other languages, with its names and numbers', () => {
    speakOfFindings('fr');
    expect(saidOfRuns(`${race} (12 times)`)).toBe(
      'écriture et lecture volatile de l’élément 3 de cudaMalloc no. 1 (64 octets) en mémoire globale par deux threads, sans ordre : aucune barrière du bloc ne les sépare ; placez-y __syncthreads() (12 fois)',
    );
    expect(saidOfRuns(`out of bounds at a.cu:7: ${outside}`)).toMatch(
      /^hors limites, a\.cu:7 : écriture __global__ hors limites de 4 octets/,
    );
    speakOfFindings('ja');
    expect(saidOfRuns(race)).toMatch(
      /^グローバルメモリの cudaMalloc no\. 1 \(64 バイト\) の要素 3 に対する 2 つのスレッドの書き込みとvolatile 読み取り/,
    );
    expect(saidOfRuns('write by thread (1, 0, 0) of block (2, 0, 0)')).toBe('ブロック (2, 0, 0) のスレッド (1, 0, 0) による書き込み');
    speakOfFindings('ko');
    expect(saidOfRuns(outside)).toMatch(/^0x7f001000에서 4바이트의 범위 초과 __global__ 쓰기: cudaMalloc no\. 1/);
  });

  it('stays English where one of its parts would, and in English', () => {
    speakOfFindings('fr');
    expect(saidOfRuns(race.replace('no barrier', 'some new reason'))).toBe(race.replace('no barrier', 'some new reason'));
    expect(saidOfRuns('x'.repeat(5000))).toBe('x'.repeat(5000));
    speakOfFindings(undefined);
    expect(saidOfRuns(race)).toBe(race);
  });
});
