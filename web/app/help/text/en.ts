/** The texts of the help dialog. */
export default {
  keyPalette: 'Open the command palette',
  keyNewline: 'Insert a line break in the connect field',
  keyRun: 'Run the tool',
  keyCancel: 'Cancel the call',
  keyRecall: 'Reuse arguments of earlier calls',
  keyMove: 'Move the focused server or group up or down',
  keyFilter: 'Go to the filter',
  keyRow: 'Go to the next or previous item of the list',
  keyPane: 'Go to the next or previous pane, also from a text field',
  keyCopyLink: 'Copy the link, in the Share dialog',
  keyTrouble: 'Go to the next or previous error in the trace',
  keyGo: (what: string) => `Go to ${what}`,
  keyGoServer: 'Go to the first, second, … server',
  keyHelp: 'Show this help',
  keyTabs: 'Move between tabs',
  keyClose: 'Close the open dialog or panel',
  version: (version: string) => `Periscope ${version}`,
  privacy:
    'Periscope sends data only to servers you connect to or sign in with, and to your model endpoint. This browser stores recent servers and recorded sessions. It stores tokens and the values of headers and environment variables only if you choose Remember.',
}
