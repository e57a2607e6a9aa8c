/** Chinese words in simplified and in traditional characters: a name that is listed in one of them counts in both. */

/** Simplified characters of words for codes, keys and what they open, each with its traditional one. */
const PAIRS =
  '亲親 备備 复復 产產 会會 儿兒 员員 园園 变變 实實 当當 录錄 户戶 护護 报報 数數 无無 旧舊 权權 柜櫃 标標 档檔 机機 码碼 礼禮 签簽 组組 线線 网網 ' +
  '许許 证證 识識 词詞 话話 语語 误誤 说說 请請 课課 货貨 转轉 输輸 进進 选選 运運 邮郵 钥鑰 银銀 锁鎖 错錯 键鍵 长長 门門 问問 间間 阶階 险險 陆陸 ' +
  '预預 验驗 驶駛 驾駕 账帳 设設 询詢 号號 单單 历歷 务務 动動 医醫 区區 启啟 关關 开開 应應 总總 传傳 仓倉 个個 体體 储儲 兑兌 内內 别別 创創 删刪 ' +
  '协協 卫衛 发發 听聽 响響 团團 国國 图圖 场場 处處 头頭 学學 宾賓 对對 导導 层層 属屬 帐帳 带帶 库庫 废廢 强強 态態 执執 扫掃 换換 据據 时時 显顯 ' +
  '楼樓 汇匯 测測 点點 热熱 环環 现現 监監 确確 离離 称稱 简簡 类類 级級 终終 经經 绑綁 结結 给給 统統 续續 维維 编編 职職 联聯 脑腦 节節 药藥 获獲 ' +
  '营營 补補 装裝 视視 订訂 计計 认認 讯訊 记記 访訪 评評 试試 诊診 调調 费費 资資 购購 贵貴 边邊 过過 还還 这這 达達 链鏈 钱錢 铃鈴 闸閘 闭閉 陈陳 ' +
  '隐隱 页頁 项項 须須 频頻 题題 额額 飞飛 馆館 车車 丢丟'
const TRADITIONAL = new Map(PAIRS.split(' ').map(([simplified, traditional]) => [simplified!, traditional!]))
const SIMPLIFIED = new Map(PAIRS.split(' ').map(([simplified, traditional]) => [traditional!, simplified!]))

const spelled = (word: string, by: ReadonlyMap<string, string>): string =>
  word.replace(/\p{Script=Han}/gu, (character) => by.get(character) ?? character)

/** The word as it is, in traditional and in simplified characters. */
export const inBothScripts = (word: string): readonly string[] =>
  /\p{Script=Han}/u.test(word) ? [...new Set([word, spelled(word, TRADITIONAL), spelled(word, SIMPLIFIED)])] : [word]
