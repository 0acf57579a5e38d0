/** Values are UTF-8 on the wire, which Node decodes as Latin-1. */
export function headerText(value: string): string {
  for (let at = 0; at < value.length; at += 1) {
    if (value.charCodeAt(at) > 0x7f) return Buffer.from(value, 'latin1').toString('utf8');
  }
  return value;
}

/** Header names cannot contain every key, so keys are percent-encoded; invalid encodings are left unchanged. */
export function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
