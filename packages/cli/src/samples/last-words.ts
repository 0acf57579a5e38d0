/** Lines as Kubernetes programs write them begin with their severity and the day. */
export function isInformation(line: string): boolean {
  return /^I\d{4} /.test(line);
}

/** Places in a stack, the members of an error, what Node adds below them, and where to find help. */
const AROUND_AN_ERROR = /^\s|^[{}\]]|^Node\.js v\d|^Try .* --help$/;

/** Of two lines of a program that has ended, the one that says why; the newer unless it says nothing. */
export function lastWords(before: string, line: string): string {
  const saysNothing = line.trim() === '' || isInformation(line) || AROUND_AN_ERROR.test(line);
  return saysNothing ? before : line.trim();
}
