/** Names are UTF-8 on the wire, which Node reads byte by byte. */
export function headerText(value: string): string {
  for (let at = 0; at < value.length; at += 1) {
    if (value.charCodeAt(at) > 0x7f) return Buffer.from(value, 'latin1').toString('utf8');
  }
  return value;
}

/** Header names cannot carry every key, so keys come percent-encoded; what is no encoding stays as it is. */
export function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
