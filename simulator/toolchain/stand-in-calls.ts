/**
 * Calls of functions that nobody defines, which stand for instructions while LLVM optimises: what takes them back to instructions reads
 * their arguments, and leaves their declarations out. Their names are in quotation marks.
 */
const TYPE = /^(ptr(?: addrspace\(\d+\))?|[a-z]\w*|<[^>]*>) (.*)$/;

/** The module without the declarations of functions whose names begin so. */
export function withoutDeclarations(ir: string, prefix: string): string {
  return ir.replace(new RegExp(`^(?:; Function Attrs: [^\\n]*\\n)?declare [^\\n]*@"${prefix.replaceAll('.', '\\.')}[^\\n]*\\n`, 'gm'), '');
}

/** `list` at its commas, and of each operand its type; attributes of arguments are left out. */
export function operandsIn(list: string): readonly { readonly type: string; readonly text: string }[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= list.length; at++) {
    const character = list[at];
    if (character === '(' || character === '{' || character === '[' || character === '<') depth++;
    else if (character === ')' || character === '}' || character === ']' || character === '>') depth--;
    else if (at === list.length || (character === ',' && depth === 0)) {
      parts.push(list.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts.map((part) => {
    const [, type = '', value = ''] = TYPE.exec(part) ?? [];
    return {
      type,
      text: `${type} ${value.replace(/^(?:(?:noundef|nonnull|captures\([^)]*\)|nocapture|(?:align|dereferenceable|dereferenceable_or_null)(?: \d+|\(\d+\))|writeonly|readonly|signext|zeroext|range\([^)]*\)) )+/, '')}`,
    };
  });
}

/** Where the parenthesis closes that was opened in front of `text`. */
export function closingIn(text: string): number {
  let depth = 1;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}
