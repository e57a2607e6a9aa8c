/** Resources: listing, reading, templates, and subscriptions. */
export { readsFold } from './reads-fold.ts'
export { resourcesFold, templatesFold } from './resource-item.ts'
export { resources } from './resources.ts'
export { updatesFold } from './updates-fold.ts'
