import type { Translation } from '../../../../ui/index.svelte.ts'
import type en from './en.ts'

const chinese: Translation<typeof en> = {
  title: '可试用的服务器',
  hint: (date) =>
    `常见的服务器，信息取自其文档（${date}）。选择后只会填写表单，不会连接。2025 年归档的参考服务器未列出。`,
  filter: '筛选服务器',
  none: '没有符合筛选条件的服务器。',
  take: '填入',
  takeName: (name) => `填入 ${name}`,
  documentation: '文档',
  documentationOf: (name) => `${name} 的文档`,
  getKey: '获取密钥',
  getKeyFor: (name) => `获取密钥（${name}）`,
  needs: (list) => `需要：${list}`,
  'need-node': 'Node.js（npx）',
  'need-node-22': 'Node.js 22（npx）',
  'need-uv': 'uv（uvx）',
  'need-key': '密钥',
  'need-sign-in': '登录',
  'need-folder': '文件夹',
  'need-repository': 'Git 仓库',
  'need-database': '数据库',
  everything: '协议的全部功能，用于测试客户端。',
  filesystem: '读写指定文件夹中的文件。',
  memory: '存储由实体和关系组成的知识图谱。',
  'sequential-thinking': '逐步记录思考过程。',
  git: '读取和修改本地 Git 仓库。',
  fetch: '抓取网页并转换为 Markdown。',
  time: '查询时间并换算时区。',
  github: 'GitHub 的仓库、issue、拉取请求和工作流。',
  postgres: '查询 PostgreSQL 数据库并查看其 schema。',
  sqlite: '查询 SQLite 文件并查看其 schema。',
  'brave-search': '搜索网页、新闻、图片和地点。',
  slack: '读取 Slack 工作区的频道和消息。',
  sentry: '查找并分析 Sentry 中的错误。',
  playwright: '通过无障碍树控制浏览器。',
}

export default chinese
