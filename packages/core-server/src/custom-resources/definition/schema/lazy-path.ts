import type { FieldPath } from '@tributary/apimachinery';

/** Where something stands. A schema may have thousands of places, and a path is needed only where something is wrong. */
export type Place = () => FieldPath;

export function childOf(place: Place, ...names: [string, ...string[]]): Place {
  return () => place().child(...names);
}

export function elementOf(place: Place, keyword: string, index: number): Place {
  return () => place().child(keyword).index(index);
}

export function fieldOf(place: Place, keyword: string, name: string): Place {
  return () => place().child(keyword).key(name);
}
