/** People, texts, things and places of the world. One meaning a line; see `meanings.ts`. */

export const worldWords = `
preamble|introduction|intro|lead-in|opening|opening words|开场白|引言|开头
recap|closing summary|summary at the end|wrap-up|结尾总结|收尾总结|复述
as short as possible|as few words as possible|in few words|briefly|in brief|to the point|尽量简短|尽可能简短
bullet point|bullet|bulleted list|要点|列点|项目符号
emoji|emoticon|表情|表情符号
jargon|technical terms|行话|术语
first name|given name|名
last name|surname|family name|姓|姓氏
birthday|date of birth|born|生日|出生
age|years old|年龄|岁
job|profession|occupation|职业
role|position|function|职位|岗位|角色
native speaker|mother tongue|first language|native language|母语
left-handed|left hander|lefty|左撇子
colour blind|color blind|colour-blind|色盲
time zone|timezone|时区
early riser|gets up early|早起
commute|way to work|通勤
bike|bicycle|cycle|自行车|单车
walk|on foot|走路|步行
drive|by car|开车
flat|apartment|公寓
rent|lease|租|租金
move house|move home|搬家
marry|married|get married|结婚|已婚
pregnant|expecting|怀孕
holiday home|cottage|度假屋
gift|present|礼物
invite|invitation|邀请
guest list|宾客名单
remind|reminder|提醒
appointment|booking|预约
book|reserve|reservation|预订|预定|订
cancel|call off|取消
postpone|put off|push back|defer|delay|推迟|延后|延期|推后
bring forward|move up|提前
late|too late|belated|迟|晚
early|ahead of time|早
on time|punctual|punctually|准时|按时
immediately|at once|right away|straight away|instantly|立即|立刻|马上
weekly report|weekly update|周报
minutes|meeting notes|meeting minutes|会议纪要|纪要
agenda|议程
attend|take part|participate|参加|出席|参与
attendee|participant|参加者|参与者|与会者
present|presentation|talk|演示|演讲
slide|slides|deck|slide deck|幻灯片
whiteboard|白板
headcount|number of people|人数
quota|allowance|allotment|配额|额度
threshold|cut-off value|阈值|门槛
margin|利润率
discount|rebate|price cut|折扣|优惠
tax|vat|税
currency|币种|货币
euro|euros|eur|€|欧元
dollar|dollars|usd|us dollars|$|美元|美金
yuan|rmb|cny|¥|元|块|人民币
pound|pounds|gbp|英镑
receipt|收据|小票
reimburse|reimbursement|expense claim|报销
purchase order|po|采购单
bank|银行
insurance|insured|保险
warranty|guarantee|保修|质保
complaint|complain|投诉|抱怨
survey|questionnaire|问卷|调查
interview|面试|访谈
candidate|applicant|候选人|应聘者
apply|application|申请
application form|申请表
permit|licence|license|许可证|执照
law|legal|法律|法务
lawyer|attorney|律师
accountant|会计
finance|financial|财务
audit|审计
compliance|合规
privacy|隐私
personal data|个人信息|个人数据
consent|同意书
risk|风险
incident|outage|事故|故障
postmortem|post-mortem|post mortem|incident review|复盘|事后复盘
root cause|根因|根本原因
severity|严重程度|级别
escalate|escalation|上报|升级处理
downtime|停机时间
uptime|availability|available|可用性|可用
maintenance window|维护窗口
freeze|code freeze|封版|冻结|代码冻结
branch off|拉分支
squash|squash merge|压缩合并
rebase|变基
force push|force-push|push with force|强推|强制推送
cherry-pick|cherry pick|拣选
stash|暂存
conflict|冲突
draft|草稿|草案
lint rule|检查规则
warning|警告
exception|异常
stack trace|stacktrace|traceback|堆栈|调用栈
breakpoint|断点
flaky|unstable|intermittent|不稳定
failing test|red test|test that fails|失败的测试|红的测试
green|passing|pass|succeed|success|successful|成功|通过
snapshot|快照
fixture|夹具
seed|种子
load test|stress test|压力测试|压测|负载测试
acceptance test|验收测试
manual test|手动测试|人工测试
regression|回归
edge case|corner case|边界情况|边缘情况
placeholder|占位符
null|none|nil|空值
boolean|布尔
string|字符串
array|数组
object|对象
field name|字段名
file name|filename|文件名
timestamp|时间戳
utc|coordinated universal time|协调世界时
encoding|编码
utf-8|utf8
line break|newline|换行|换行符
trailing comma|末尾逗号|尾逗号
semicolon|分号
comma|逗号
quote|quotation mark|引号
single quotes|single-quoted|单引号
double quotes|double-quoted|双引号
bracket|parenthesis|括号
uppercase|upper case|capital letters|capitals|大写
lowercase|lower case|small letters|小写
abbreviation|abbreviate|缩写|简写
acronym|首字母缩写
plural|复数
singular|单数
prefix|前缀
suffix|postfix|后缀
extension|扩展名
plugin|plug-in|add-on|addon|插件
extension|add-on|扩展
theme|主题
font|typeface|字体
icon|图标
logo|标志
banner|横幅
sidebar|side bar|侧边栏|侧栏
menu|菜单
dropdown|drop-down|下拉框|下拉菜单
checkbox|check box|复选框
tooltip|提示框
pop-up|popup|modal|dialog|弹窗|对话框
landing page|落地页
home page|homepage|front page|首页|主页
link to|point to|指向|链接到
redirect|重定向|跳转
bookmark|书签|收藏
search bar|search box|搜索框|搜索栏
pagination|paging|分页
newsletter|通讯|简报
subscriber|subscription|subscribe|订阅|订阅者
push notification|推送通知
sms|text message|短信
voice|语音
chat|chat room|group chat|channel|群|群聊|聊天室|频道
thread|帖子|话题
post|发帖|张贴
reply to all|全部回复
cc|抄送
attachment|attached file|附件
signature|落款|署名
letter|信|信件
envelope|信封
stamp|邮票|印章
shelf|架子|书架|货架
cupboard|cabinet|locker|柜|柜子|机柜
drawer|抽屉
box|盒子|箱子
basement|cellar|地下室
kitchen|厨房
bathroom|toilet|restroom|卫生间|洗手间|厕所
meeting room|conference room|会议室
reception|front desk|前台|接待处
entrance|入口
exit|出口
lift|elevator|电梯
stairs|staircase|楼梯
car park|parking lot|parking|停车场|停车
parking space|parking spot|车位|停车位
bus|公交|公交车|巴士
subway|underground|metro|地铁
station|stop|站|车站
airport|机场
hotel|酒店|宾馆
bakery|面包店|烘焙店
cafe|coffee shop|咖啡馆|咖啡店
market|市场|集市
supermarket|grocery store|超市
pharmacy|chemist|药店
clinic|诊所
dentist|牙医
medicine|medication|drug|药|药物|药品
allergen|过敏原
peanut|peanuts|花生
nut|nuts|坚果
milk|dairy|牛奶|奶制品
meat|肉
fish|鱼
vegan|纯素
bread|面包
sugar|糖
salt|盐
fertiliser|fertilizer|肥料|施肥
irrigation|irrigate|灌溉
harvest|采收|收割|收获
seedling|幼苗|苗
soil|土壤|土
field|plot|田|地块
cow|cattle|牛
horse|马
bee|bees|蜜蜂
choir|合唱团|合唱
orchestra|乐队|乐团
rehearsal|rehearse|排练|彩排
concert|演出|音乐会
stage|舞台
studio|录音棚|工作室
record|recording|录制|录音
sample rate|sampling rate|采样率
volume|loudness|音量
guitar|吉他
piano|钢琴
game|游戏
player|玩家|选手
level|等级|关卡
score|points|分数|得分|比分
league|联赛
coach|教练
club|俱乐部
pool|swimming pool|游泳池|泳池
gym|健身房
run|jog|跑步
museum|博物馆|展馆
exhibition|exhibit|展览|展品
curator|策展人
visitor centre|visitor center|游客中心
brochure|leaflet|flyer|宣传册|小册子|传单
poster|海报
magazine|journal|杂志|期刊
newspaper|报纸
article|文章|稿件|稿子
author|writer|作者
editor|编辑
publisher|出版社
proofread|proofreading|校对
manuscript|手稿|原稿
chapter|章|章节
footnote|脚注
citation|cite|引用|引文
bibliography|references|参考文献
thesis|dissertation|论文
paper|论文
research|study|研究
experiment|实验
hypothesis|假设
lab|laboratory|实验室
dataset|data set|数据集
training data|训练数据
baseline|基线
accuracy|准确率|精度
formula|公式
calibrate|calibration|校准|标定
firmware|固件
hardware|硬件
board|circuit board|电路板|板子
chip|芯片
cable|wire|线缆|电缆
plug|socket|插头|插座
power supply|电源
voltage|电压
current|电流
serial port|串口
baud rate|波特率
pressure|压力
flow rate|流量
valve|阀|阀门
pump|泵|水泵
motor|电机|马达
fan|风扇|风机
heating|heater|heat|暖气|加热|加温
cooling|cool|冷却|降温
air conditioning|air conditioner|aircon|空调
fridge|refrigerator|冰箱|冷柜
freezer|冷冻柜|冷冻室
oven|烤箱
tool|工具
drill|钻|电钻
spare part|spare|备件
supplier|provider|供应商|服务商
carrier|courier|快递公司|承运商
pallet|托盘
truck|lorry|卡车|货车
route|路线|线路
driver|司机
fleet|车队
customs|海关
barcode|bar code|条码|条形码
shipment|consignment|货物|批货
returns|return shipment|退货
stocktake|stock-taking|inventory count|盘点
out of stock|sold out|缺货|售罄
wholesale|批发
retail|零售
cash|现金
credit card|信用卡
instalment|installment|分期
loyalty|会员
member card|membership card|会员卡
ticket office|box office|售票处
season ticket|季票
open source|open-source|开源
licence|license|许可证|许可
trademark|商标
patent|专利
nda|non-disclosure agreement|保密协议
volunteer|志愿者|义工
donation|donate|捐款|捐赠
charity|慈善
mayor|市长
council|议会|委员会
committee|board|委员会
election|vote|选举|投票
tenant|租户|租客
landlord|房东
caretaker|janitor|看门人|物业
cleaning|clean|打扫|清洁|清洗
rubbish|garbage|trash|waste|垃圾
noise|noisy|噪音|吵
smoke|smoking|吸烟|抽烟
pet|宠物
passport|护照
id card|identity card|身份证
visa|签证
luggage|baggage|行李
unused|idle|not in use|闲置|空闲|未使用
twice|two times|两次|两遍|二次
once more|one more time|again|a second time|再一次
hang up|drop the connection|drop connection|cut the connection|cut connection|close the connection|断开连接|断连|掉线
keep free|leave free|空出来|留空
throw away|discard|ignore|丢弃|扔掉
by mistake|accidentally|inadvertently|by accident|误|不小心|无意
on purpose|deliberately|intentionally|故意|有意
in advance|beforehand|ahead|提前|事先|预先
afterwards|later|subsequently|之后|后来|随后
at the latest|no later than|最迟|最晚
at the earliest|no earlier than|最早
in writing|written|书面
orally|verbally|by word of mouth|口头
face to face|in person|当面|面对面
online|on the web|线上|网上
offline|线下|离线
remote work|work from home|home office|wfh|远程办公|在家办公
full time|full-time|全职
part time|part-time|兼职
overtime|加班
lunch break|午休
break|pause|rest|休息
busy|忙
free time|spare time|业余时间|空闲时间
hobby|爱好
band|乐队
favourite|favorite|最喜欢的|最爱
instead|in place of|in lieu of|代替
in order|sequentially|按顺序|依次
alphabetical|alphabetically|按字母顺序
newest first|most recent first|latest first|最新的在前
descending|降序|倒序
ascending|升序|正序
left|左|左边|左侧
right|右|右边|右侧
top|upper|above|顶部|上方
bottom|lower|below|底部|下方
front|前面|正面
back|rear|behind|后面|背面
inside|within|里面|内部
outside|外面|外部
north|北|北边
south|南|南边
east|东|东边
west|西|西边
corner|角|角落
middle|centre|center|中间|中央|中心
wall|墙
window|窗户|窗口
roof|屋顶
garden|花园|院子
tree|树
river|河
smoke|冒烟
case|用例
jam|卡纸|卡住
send back|return|give back|寄回|退回|还回
broken|defective|faulty|坏|坏的|坏掉|坏了|损坏
barcode scanner|scanner|扫码枪
desk|台|柜台
along with|together with|attach|enclose|附上|附|附带
try|attempt|tried|试|尝试|试过
stream|streaming|流式
bring along|带上
worker|工人
tokyo|东京
osaka|大阪
kyoto|京都
seoul|首尔
singapore|新加坡
hong kong|香港
taipei|台北
beijing|北京
shanghai|上海
shenzhen|深圳
guangzhou|广州
hangzhou|杭州
chengdu|成都
nanjing|南京
wuhan|武汉
berlin|柏林
munich|慕尼黑
hamburg|汉堡
frankfurt|法兰克福
vienna|维也纳
zurich|苏黎世
paris|巴黎
london|伦敦
madrid|马德里
rome|罗马
milan|米兰
amsterdam|阿姆斯特丹
brussels|布鲁塞尔
stockholm|斯德哥尔摩
oslo|奥斯陆
copenhagen|哥本哈根
helsinki|赫尔辛基
lisbon|里斯本
dublin|都柏林
moscow|莫斯科
new york|纽约
san francisco|旧金山
los angeles|洛杉矶
seattle|西雅图
boston|波士顿
chicago|芝加哥
toronto|多伦多
vancouver|温哥华
sydney|悉尼
melbourne|墨尔本
dubai|迪拜
bangkok|曼谷
germany|德国
france|法国
japan|japanese|日本
china|中国
korea|韩国
spain|西班牙
italy|意大利
britain|uk|united kingdom|英国
usa|united states|america|美国
canada|加拿大
australia|澳大利亚|澳洲
india|印度
brazil|巴西
europe|european|欧洲
asia|亚洲
spanish|西班牙语|西班牙文
italian|意大利语|意大利文
russian|俄语|俄文
korean|韩语|韩文
portuguese|葡萄牙语|葡萄牙文
arabic|阿拉伯语|阿拉伯文
japanese|日语|日文|日本语
paper|纸
keep|stay|remain
say|tell|state|mention
`
