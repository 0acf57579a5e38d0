/** A second server behind the aggregator, with a group of its own. */
import { runServer } from '@tributary/server';
import { defineApi, defineResource, version } from '@tributary/server/definition';
import Type from 'typebox';

const Gadget = defineResource({
  kind: 'Gadget',
  plural: 'gadgets',
  scope: 'Namespaced',
  versions: { v1: version({ spec: Type.Object({}) }) },
});

process.exitCode = await runServer(
  defineApi({ group: 'gadgets.example.com', resources: [Gadget] }),
  {
    program: 'gadgets-apiserver',
    summary: 'An API server for Gadgets.',
    args: process.argv.slice(2),
  },
);
