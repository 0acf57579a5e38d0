/** Image names: `[host[:port]/]path[:tag][@digest]`. */
const PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const HOST_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const HOST = `(?:${HOST_LABEL}(?:\\.${HOST_LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const IMAGE = new RegExp(
  `^(?:${HOST}/)?${PART}(?:/${PART})*(?::(?<tag>[\\w][\\w.-]{0,127}))?(?<digest>@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
);
/** Longer names are invalid, which also bounds the cost of the expression. */
const IMAGE_CHARACTERS_MAX = 4_096;

/** The tag `latest` is pulled each time. Validation reports an invalid name. */
export function defaultPullPolicy(image: string): 'Always' | 'IfNotPresent' {
  if (image.length > IMAGE_CHARACTERS_MAX) return 'IfNotPresent';
  const found = IMAGE.exec(image)?.groups;
  if (found === undefined) return 'IfNotPresent';
  const tag = found.tag ?? (found.digest === undefined ? 'latest' : '');
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}
