import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

/** 保存在此设备上的会话的文字。 */
export default {
  // 保存在此处的会话。
  sessionsNone: '尚未存储任何会话。开启存储后，每个连接从一开始就会被录制。',
  sessionsNoMatch: '没有匹配的会话。清除搜索可查看全部。',
  sessionsSearch: '搜索名称、服务器、方法、工具',
  sessionThis: '当前页面',
  sessionLiving: '已在另一个标签页中打开',
  sessionUnclosed: '未关闭',
  sessionUnclosedWhy: '页面崩溃或被终止。最后一秒之前的内容均已存储。',
  sessionCut: '已截断',
  sessionCutWhy: '仅此一个会话就已达到存储上限，之后的帧未存储。',
  sessionOpen: (name: string) => `打开 ${name}`,
  sessionRename: (name: string) => `重命名 ${name}`,
  sessionRenameShort: '重命名',
  sessionName: '会话名称',
  sessionSave: (name: string) => `将 ${name} 存为文件`,
  sessionSaveShort: '存为文件',
  sessionDelete: (name: string) => `删除 ${name}`,
  sessionDeleteShort: '删除',
  sessionDeleteSure: '确定删除？',
  sessionBookmarks: (count: string) => `${count} 个书签`,
  keepOn: '在此设备上存储会话',
  keepHint: '只存储在此浏览器中，机密在捕获时即被遮盖。不上传任何数据。',
  keepBudget: 'MB 上限',
  keepDays: '天上限',
  keepUsed: (used: string, count: string) => `已存储 ${count} 个，${used}`,
  keepProblem: (least: string, most: string) => `请输入 ${least} 到 ${most} 之间的数字。`,
  keepClear: '立即清除',
  keepClearSure: '清除全部会话？',
  keepCleared: '会话已清除。存储开启时，新的帧会继续存储。',
  keepFull:
    '仅此一个会话就已达到存储上限，因此新的帧未存储。要保留这些帧，请将会话存为文件。要重新开始存储，请调高上限并重新加载页面。',
  keepNoRoom: '浏览器分配给此站点的存储空间已满，此会话不再存储。请删除较早的会话以继续，或将其存为文件。',
  keepTrimmed: (count: string) => `浏览器的存储空间已满，Periscope 已删除最早的 ${count} 个会话以腾出空间。`,
  keepUnavailable: (why: string) => `此浏览器无法为此页面存储会话（${why}）。其他功能正常。请将需要的内容存为文件。`,
} satisfies Translation<typeof en>
