/** Runs in the page when the corpus is tested in a browser. */
import { drive, type Wish } from './drive.ts'

export type DriveInPage = (wish: string) => Promise<string>

// As text, because Playwright's type for serializable values recurses infinitely on JSON.
const driveInPage: DriveInPage = async (wish) => JSON.stringify(await drive(JSON.parse(wish) as Wish))

Object.assign(globalThis, { driveInPage })
