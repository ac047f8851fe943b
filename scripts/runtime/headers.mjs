// The C library's headers as an installation has them: musl's, those that its makefile generates, and ours in front.

/** `sources`: texts by path. Headers by their path under `include/`. */
export function cHeaders(sources, ours) {
  const headers = new Map();
  for (const from of ['musl/include/', 'musl/arch/generic/', 'musl/arch/x86_64/']) {
    for (const [path, text] of sources) {
      const name = path.slice(from.length);
      if (path.startsWith(from) && name.endsWith('.h') && (from === 'musl/include/' || name.startsWith('bits/'))) headers.set(name, text);
    }
  }
  headers.set(
    'bits/alltypes.h',
    generated([sources.get('musl/arch/x86_64/bits/alltypes.h.in'), sources.get('musl/include/alltypes.h.in')], typeLines),
  );
  headers.set('bits/syscall.h', generated([sources.get('musl/arch/x86_64/bits/syscall.h.in')], callLines));
  // 128-bit long double.
  headers.set('bits/float.h', sources.get('musl/arch/aarch64/bits/float.h'));
  for (const [name, text] of ours) headers.set(name, text);
  return headers;
}

function generated(texts, change) {
  return Buffer.from(texts.flatMap((text) => text.toString().split('\n').flatMap(change)).join('\n'));
}

/** A type is declared where a header asks for it by `__NEED_name`, once. */
function typeLines(line) {
  const typedef = /^TYPEDEF (.*) (\S+);$/.exec(line);
  if (typedef) return onDemand(typedef[2], `typedef ${typedef[1]} ${typedef[2]};`);
  const aggregate = /^(STRUCT|UNION) +(\S+) (.*);$/.exec(line);
  if (!aggregate) return [line];
  const kind = aggregate[1].toLowerCase();
  return onDemand(`${kind}_${aggregate[2]}`, `${kind} ${aggregate[2]} ${aggregate[3]};`);
}

function onDemand(name, declaration) {
  return [`#if defined(__NEED_${name}) && !defined(__DEFINED_${name})`, declaration, `#define __DEFINED_${name}`, '#endif'];
}

function callLines(line) {
  return line.startsWith('#define __NR_') ? [line, line.replace('__NR_', 'SYS_')] : [line];
}
