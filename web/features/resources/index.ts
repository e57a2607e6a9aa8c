/** Resources: listing, reading, templates, and subscriptions. */
export { resourcesFold, templatesFold } from './resource-item.ts'
export { resources } from './resources.ts'
