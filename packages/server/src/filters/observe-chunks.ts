interface ChunkObserver {
  onChunk(chunk: Uint8Array): void;
  /** Called once, for the last chunk, a failure, or a reader that left. */
  onEnd(): void;
}

/** The same chunks. An iterator, because a generator would cost every event of every watcher two more turns. */
export function observeChunks(
  chunks: AsyncIterable<Uint8Array>,
  { onChunk, onEnd }: ChunkObserver,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const inner = chunks[Symbol.asyncIterator]();
      let ended = false;
      const end = () => {
        if (!ended) onEnd();
        ended = true;
      };
      const onResult = (result: IteratorResult<Uint8Array>) => {
        if (result.done) end();
        else onChunk(result.value);
        return result;
      };
      const onFailure = (error: unknown) => {
        end();
        throw error;
      };
      return {
        next: () => inner.next().then(onResult, onFailure),
        return: async () => {
          end();
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
