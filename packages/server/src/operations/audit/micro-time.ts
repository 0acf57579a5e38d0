/** `metav1.MicroTime`: RFC 3339 in UTC with microseconds. Many times are within one second, whose text is cached. */
export function microTimeFormat(): (ms: number) => string {
  let second = Number.NaN;
  let text = '';
  return (ms) => {
    const current = Math.floor(ms / 1000);
    if (current !== second) {
      second = current;
      text = new Date(current * 1000).toISOString().slice(0, -4);
    }
    // A double cannot represent every microsecond since 1970 exactly, so rounding down is wrong.
    const micros = Math.min(Math.round((ms - current * 1000) * 1000), 999_999);
    return `${text}${String(micros).padStart(6, '0')}Z`;
  };
}
