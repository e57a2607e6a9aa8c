import type { Translation } from '../../../../ui/index.svelte.ts'
import type en from './en.ts'

const chinese: Translation<typeof en> = {
  title: '受信任的证书',
  hint: '在此连接中，对于列出的每个主机，中继只接受所列的证书。',
  remove: '移除',
  removeName: (host) => `移除 ${host} 的证书`,
}

export default chinese
