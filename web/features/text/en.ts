/** Texts of what several features share. */
export default {
  // Icons
  iconFault: (fault: string) =>
    ({
      'no-object': 'An icon is an object with a src.',
      'no-src': 'The icon has no src.',
      scheme: 'Not shown: the src of an icon is https: or data:, and nothing else is safe (ICON-02).',
      remote: 'Not fetched: that would tell its host that you look at it.',
      'too-long': 'Not shown: over 400 kB.',
      'not-base64': 'Not shown: its data: URL cannot be decoded.',
      type: 'Not shown: neither PNG, JPEG, WebP nor SVG (ICON-04).',
      mismatch: 'Not shown: the bytes are not what it says (ICON-04).',
      'too-large': 'Not shown: a side of more than 2,048 px.',
      svg: 'Not shown: the SVG repeats, embeds or filters, or has a script.',
    })[fault] ?? '',
  // _meta
  metaNone: 'nothing added',
  metaKeys: (count: string) => (count === '1' ? '1 key added' : `${count} keys added`),
  metaNotSent: 'not sent',
  metaLabel: (method: string) => `_meta of ${method}`,
  metaHint: (method: string) => `An object that goes into params._meta of every ${method}, until the page is closed.`,
  metaNoObject: '_meta is an object; nothing is added until it is one.',
  metaNoJson: (why: string) => `No JSON yet, so nothing is added: ${why}`,
  metaOnPurpose: 'It is sent all the same.',
  metaOurs: 'takes the place of what Periscope would send.',
}
