/** `tributary` whose aggregator has the fault that the file GATEWAY_FAULT_FILE names: `mutant-gateway.ts up …`. */
import { registerHooks } from 'node:module';

const REPLACED = {
  specifier: './forward-response.ts',
  from: '/packages/proxy/src/forward/forward-request.ts',
};

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isReplaced =
      specifier === REPLACED.specifier && context.parentURL?.endsWith(REPLACED.from) === true;
    if (!isReplaced) return nextResolve(specifier, context);
    process.stdout.write('mutant-gateway forwards with a fault\n');
    return nextResolve(new URL('./mutant-forward-response.ts', import.meta.url).href, context);
  },
});

await import('../../packages/cli/src/main.ts');
