/** How often upstream lets a rule of the grammar be within itself, and expressions within each other. */
export const DEPTH_MAX = 250;

export class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

export function ruleTooDeep(): TooDeep {
  return new TooDeep(`expression recursion limit exceeded: ${DEPTH_MAX}`);
}
