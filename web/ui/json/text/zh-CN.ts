import type { Translation } from '../../i18n/language.svelte.ts'
import type { Fault, Forgiven } from '../../../json/index.ts'
import type en from './en.ts'

const faults: Readonly<Record<Fault, string>> = {
  unexpected: '意外的字符',
  'ends-early': '文本意外结束，请补全未闭合的部分',
  'more-after': '值之后还有多余内容',
  'open-string': '字符串未闭合',
  'open-comment': '注释未闭合',
  'bad-escape': '无效的转义',
  'bare-control': '字符串中有未转义的控制字符',
  'bad-number': '无效的数字',
  'bad-word': '字符串需要加引号',
  'too-deep': '嵌套过深',
  'too-large': '文本过长',
}
const forgiven: Readonly<Record<Forgiven, string>> = {
  comment: '注释',
  comma: '尾随逗号',
  quote: '单引号',
  name: '未加引号的键名',
  space: '特殊空白字符',
}

const translation: Translation<typeof en> = {
  copyValue: '复制值',
  copyPath: '复制路径',
  copied: '已复制',
  notCopied: '浏览器阻止了剪贴板访问。请选择文本并手动复制。',
  openAll: '全部展开',
  closeAll: '全部收起',
  stop: '停止',
  showAll: '显示全部',
  characters: (count) => `${count} 个字符`,
  whole: (path) => `${path} 的完整文本`,
  close: '关闭',
  showRest: (count) => `再显示 ${count} 个字符`,
  items: (count) => `${count} 项`,
  find: '查找',
  searching: '正在查找…',
  nothingFound: '无匹配项',
  foundAt: (at, count) => `第 ${at} 处，共 ${count} 处`,
  next: '下一处',
  previous: '上一处',
  tableLabel: (path) => `${path} 的表格`,
  whichTable: '数组',
  rowCount: (count) => `${count} 行`,
  moreColumns: (count) => `另有 ${count} 个键，打开一行即可查看`,
  otherColumn: '（值）',
  sortBy: (name) => `按 ${name} 排序`,
  copyAs: (kind) => `复制 ${kind}`,
  cellWhole: (path) => `${path} 的完整内容`,
  counting: '正在整理列…',
  actions: '操作',
  fault: (fault) => faults[fault],
  forgiven: (what) => `含有${what.map((each) => forgiven[each]).join('、')}，将转换为严格 JSON 再发送`,
  mergeTooLarge: '内容过大，无法并排显示。',
  repeated: (name) => `键 ${name} 重复，以最后一个为准`,
}

export default translation
