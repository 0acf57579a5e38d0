/** Loaded before the tests: puts the fault that PROXY_FAULT names into the proxy's sources. */
import { registerHooks } from 'node:module';
import { proxyMutants } from './mutants.ts';

const mutant = proxyMutants.find(({ name }) => name === process.env.PROXY_FAULT);
if (mutant === undefined) throw new Error(`no fault is called ${process.env.PROXY_FAULT}`);
const { file, from, to } = mutant;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/packages/proxy/src/${file}`)) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    if (!source.includes(from)) throw new Error(`${file} does not have: ${from}`);
    return { ...loaded, source: source.replace(from, to) };
  },
});
