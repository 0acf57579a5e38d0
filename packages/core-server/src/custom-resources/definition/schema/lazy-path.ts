import type { FieldPath } from '@tributary/apimachinery';

/** The path of a schema. A schema may have thousands of nodes, and a path is needed only for errors. */
export type LazyPath = () => FieldPath;

export function childPath(place: LazyPath, ...names: [string, ...string[]]): LazyPath {
  return () => place().child(...names);
}

export function itemPath(place: LazyPath, keyword: string, index: number): LazyPath {
  return () => place().child(keyword).index(index);
}

export function keyPath(place: LazyPath, keyword: string, name: string): LazyPath {
  return () => place().child(keyword).key(name);
}
