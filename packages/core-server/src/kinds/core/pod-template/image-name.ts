/** How images are named: `[host[:port]/]path[:tag][@digest]`. */
const PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const HOST_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const HOST = `(?:${HOST_LABEL}(?:\\.${HOST_LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const IMAGE = new RegExp(
  `^(?:${HOST}/)?${PART}(?:/${PART})*(?::(?<tag>[\\w][\\w.-]{0,127}))?(?<digest>@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
);
/** Longer names are none; what is tried on one is bounded by this, too. */
const IMAGE_CHARACTERS_MAX = 4_096;

/** What moves is pulled every time. A name that nobody can read is judged elsewhere. */
export function defaultPullPolicy(image: string): 'Always' | 'IfNotPresent' {
  if (image.length > IMAGE_CHARACTERS_MAX) return 'IfNotPresent';
  const found = IMAGE.exec(image)?.groups;
  if (found === undefined) return 'IfNotPresent';
  const tag = found.tag ?? (found.digest === undefined ? 'latest' : '');
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}
