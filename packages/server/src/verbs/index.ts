/** Parts of verbs that subresources of the control plane share. */

export { labelSelectorText } from './label-selector-text.ts';
export { patchTypes } from './patch-documents.ts';
