/** What was looked at last in the Inbox of each server's screen; it ends with the page. */
import { Remembered } from '../remembered.ts'

class Picked {
  id = $state('')
}

export const pickedIn = new Remembered(() => new Picked())
