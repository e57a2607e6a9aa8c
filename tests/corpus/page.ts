/** What runs in the page when the corpus is gone through in a browser. */
import { drive, type Wish } from './drive.ts'

export type DriveInPage = (wish: string) => Promise<string>

// As text: Playwright's type of what it can hand over has no end where JSON may nest.
const driveInPage: DriveInPage = async (wish) => JSON.stringify(await drive(JSON.parse(wish) as Wish))

Object.assign(globalThis, { driveInPage })
