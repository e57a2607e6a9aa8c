/** The texts of the sessions stored on this device. English is the source of all translations. */
export default {
  // Stored sessions.
  sessionsNone: 'No sessions stored yet. While storing is on, every connection is recorded from the start.',
  sessionsNoMatch: 'No matching sessions. Clear the search to see all.',
  sessionsSearch: 'Search names, servers, methods, tools',
  sessionThis: 'this page',
  sessionLiving: 'open in another tab',
  sessionUnclosed: 'not closed',
  sessionUnclosedWhy: 'The page crashed or was killed. Everything up to its last second is stored.',
  sessionCut: 'truncated',
  sessionCutWhy: "This session alone reached the storage limit. Later frames weren't stored.",
  sessionOpen: (name: string) => `Open ${name}`,
  sessionRename: (name: string) => `Rename ${name}`,
  sessionRenameShort: 'Rename',
  sessionName: 'Session name',
  sessionSave: (name: string) => `Save ${name} as a file`,
  sessionSaveShort: 'Save as a file',
  sessionDelete: (name: string) => `Delete ${name}`,
  sessionDeleteShort: 'Delete',
  sessionDeleteSure: 'Delete it?',
  sessionBookmarks: (count: string) => (count === '1' ? '1 bookmark' : `${count} bookmarks`),
  keepOn: 'Store sessions on this device',
  keepHint: 'Only in this browser, with secrets masked as they are captured. Nothing is uploaded.',
  keepBudget: 'MB at most',
  keepDays: 'days at most',
  keepUsed: (used: string, count: string) => `${count} stored, ${used}`,
  keepProblem: (least: string, most: string) => `Enter a number from ${least} to ${most}.`,
  keepClear: 'Clear now',
  keepClearSure: 'Clear all sessions?',
  keepCleared: 'Sessions cleared. While storing is on, new frames are still stored.',
  keepFull:
    "This session alone has reached the storage limit, so new frames aren't stored. To keep them, save the session as a file. To store frames again, raise the limit and reload the page.",
  keepNoRoom:
    "The browser's storage for this site is full, so this session is no longer stored. Delete older sessions to continue, or save this one as a file.",
  keepTrimmed: (count: string) =>
    `The browser's storage was full. Periscope deleted ${count === '1' ? 'the oldest session' : `the ${count} oldest sessions`} to make room.`,
  keepUnavailable: (why: string) =>
    `This browser can't store sessions for this page (${why}). Everything else works. Save what you need as a file.`,
}
