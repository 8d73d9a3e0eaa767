/**
 * Words that say the same in a note, English and Chinese; one line each, words apart by `|`. Stricter than the aliases
 * of recall: there a doubtful pair costs half a point, here it could throw a note away. So a line holds words that can
 * stand for each other in one sentence, never a kind and its example (spreadsheet and Excel) or neighbours (test and check).
 */

const lines = `
indent|indentation|缩进
tab|tab character|制表符
space|blank|空格
write|compose|author|写|编写|撰写
read|读取|阅读
answer|reply|respond|response|回答|回复|答复|应答
ask|ask for|request|询问|请求|征求
tell|inform|notify|let know|告知|告诉|通知|知会
show|display|present|显示|展示|呈现
explain|explanation|解释|说明|讲解
describe|description|描述
send|send out|go out|发送|寄出|发出|发给|寄给
receive|get|obtain|收到|接收|获得|获取|拿到
give|provide|supply|deliver|提供|给出|交付
put|place|lay|放|放在|置于|摆放|摆在
keep|retain|preserve|hold|leave|保留|保存|留存|存放|存着|保持|留着
store|save|存储|储存|保存|存放
stay|remain|停留|保持|留在
located|live|lie|sit|位于|在于
delete|remove|erase|drop|purge|clear out|wipe|discard|throw away|get rid of|删除|删掉|移除|清除|清理|去掉|去除|丢弃
add|append|insert|include|加|添加|增加|加入|加上|新增
create|make|build|set up|establish|创建|建立|新建|搭建|建
change|modify|alter|edit|adjust|amend|更改|修改|变更|调整|改动
rename|重命名|改名
replace|substitute|swap|swap out|替换|取代|代替|替代
start|begin|kick off|launch|commence|open with|开始|启动|开启|起
finish|end|complete|conclude|close|wrap up|done|结束|完成|完结|完毕|收尾|做完
stop|halt|cease|quit|停止|停下|中止|停掉
continue|carry on|proceed|go on|继续
wait|await|等待|等候|等
run|execute|perform|carry out|invoke|运行|执行|跑|跑一遍|调用
call|invoke|调用
deploy|deployment|roll out|rollout|部署
release|ship|publish|launch|go live|go out|push live|cut a release|发布|发版|上线|推出
version|版本
rollback|roll back|revert|go back to|return to|undo|fall back to|回滚|回退|退回|撤回|还原
restore|recover|recovery|bring back|恢复|还原|找回
backup|back up|备份
copy|duplicate|副本|复制|拷贝
move|relocate|shift|transfer|搬|移动|迁移|转移|移到|挪到
migrate|migration|迁移
install|set up|安装|装
uninstall|卸载
update|upgrade|更新|升级
check|verify|confirm|make sure|double-check|validate|检查|核对|核实|确认|验证|校验|核查
review|look over|look through|code review|评审|审查|审核|复核|代码审查|代码评审|过目
approve|approval|sign off|green light|okay|批准|审批|同意|通过|批
reject|refuse|decline|turn down|rejected|拒绝|驳回|否决|回绝
allow|permit|let|accept|允许|准许|许可|接受
forbidden|banned|not allowed|prohibited|not permitted|disallowed|禁止|严禁|不准|不许|不得|不允许
need|require|necessary|demand|需要|要求|必需
want|wish|would like|desire|想要|希望|想|愿意
prefer|favour|favor|like best|rather have|preference|偏好|更喜欢|偏爱|倾向于|喜欢用
like|love|enjoy|喜欢|爱|喜爱
dislike|hate|not like|讨厌|不喜欢|厌恶
avoid|stay away from|steer clear|refrain from|避免|避开|别碰
use|utilise|utilize|employ|adopt|go with|work with|rely on|用|使用|采用|选用|运用
choose|pick|select|opt for|decide on|settle on|go for|选|选择|选用|选定|挑选|选了|定为
decide|decision|resolve|决定|定下|敲定|拍板
plan|intend|计划|打算|规划
suggest|propose|recommend|recommendation|建议|推荐|提议
learn|study|pick up|学|学习
know|了解|熟悉|懂|知道
understand|grasp|理解|明白
think|believe|feel|认为|觉得
find|locate|look up|discover|找|找到|查找|发现|查到
search|look for|搜索|搜寻|查找|检索
meet|gather|get together|碰头|开会|见面
meeting|sync|gathering|会议|例会|会|碰头会
weekly meeting|weekly sync|周会|周例会
standup|stand-up|daily standup|daily meeting|站会|晨会|早会
talk|speak|discuss|discussion|chat|谈|讨论|商量|聊
speak|说|讲
call up|phone|ring|give a call|telephone|打电话|致电|电话
email|e-mail|mail|邮件|电子邮件|邮箱|电邮
message|消息|信息|讯息|留言
report|报告|汇报|报表
weekly report|周报
monthly report|月报
daily report|日报
note|笔记|备注
document|doc|documentation|docs|paper|文档|文件|资料
manual|handbook|guide|user guide|instructions|手册|说明书|指南
list|清单|列表|名单
table|表|表格
spreadsheet|sheet|电子表格
form|表单|登记表
file|档案|文件
folder|directory|dir|文件夹|目录
path|路径
name|called|named|名字|名称|叫|叫做|名为|命名
title|标题|题目
heading|小标题
nickname|昵称|外号
number|no|编号|号码|号
code|代码|程式码
source code|source|源码|源代码
comment|注释|批注
function|method|函数|方法
variable|变量
constant|常量
class|类
type|类型
interface|接口
module|模块|模组
library|库
package|包
dependency|dependencies|third-party package|依赖|依赖包|第三方包
package manager|包管理器|包管理工具
branch|分支
main|main branch|master|mainline|trunk|主干|主分支
merge|合并|并入|合入|合到
pull request|pr|merge request|mr|拉取请求|合并请求
commit|提交
commit message|提交信息|提交说明|提交消息|提交日志
subject line|首行
push|推送|推到
repository|repo|code base|codebase|仓库|代码库|代码仓库
tag|label|标签
issue|ticket|工单|问题单
bug|defect|缺陷
error|fault|failure|mistake|错误|报错|出错|故障|差错
fail|break|go wrong|crash|not work|失败|崩溃|挂掉|出问题
fix|repair|mend|patch|correct|修|修复|修理|修正|改正|维修
hotfix|hot fix|热修|热修复|紧急修复
workaround|work-around|绕过办法|变通办法|临时方案|权宜之计
test|testing|测试
unit test|单元测试|单测
integration test|集成测试
end-to-end test|e2e test|e2e|端到端测试
smoke test|冒烟测试
test coverage|coverage|测试覆盖率|覆盖率
mock|stub out|模拟|打桩
database|db|数据库
query|查询
index|索引
row|record|行|记录
line|行
column|field|列|字段
cache|caching|缓存
queue|队列
server|服务器|伺服器
service|服务
client|客户端
customer|client|buyer|shopper|顾客|客户|买家
host|machine|box|主机|机器
port|端口|端口号
listen|监听
address|地址
url|link|网址|链接
network|网络
connection|连接
connect|连接|连上|接入
disconnect|cut off|drop the connection|断开|断连|掉线
gateway|网关
proxy|代理
certificate|cert|证书
password|passphrase|密码|口令
token|令牌
login|log in|sign in|登录|登陆
log out|sign out|退出登录|登出
sign up|register|registration|enrol|enroll|注册|登记|报名
account|账号|账户|帐号
permission|access right|权限
access|访问
encrypt|encryption|加密
log|logging|日志
monitor|monitoring|watch|监控|监视|盯着
alert|alarm|告警|报警|警报
dashboard|board|仪表盘|看板|面板
chart|graph|图表
metric|metrics|指标
timeout|time out|time-out|超时|超时时间
retry|try again|attempt again|重试|再试
delay|latency|延迟|时延
slow|sluggish|慢
fast|quick|quickly|rapid|快|迅速|快速
memory|ram|内存
disk|磁盘|硬盘
build|构建
compile|编译
pipeline|流水线
continuous integration|ci|持续集成
environment|env|环境
production|prod|production environment|live environment|生产环境|正式环境|线上|线上环境|生产|正式服
staging|stage|staging environment|pre-production|预发布|预发|预发环境|预生产
development environment|dev environment|dev|开发环境
test environment|testing environment|测试环境|测试服
local|locally|本地|本机
remote|远程|远端
configuration|config|settings|setting|配置|设置|设定
default|by default|默认|缺省|预设
option|选项
parameter|argument|参数
flag|switch|开关
enable|turn on|switch on|activate|启用|开启|打开
disable|turn off|switch off|deactivate|禁用|停用|关闭|关掉
automatic|automatically|by itself|on its own|auto|自动|自动地
manual|manually|by hand|手动|手工|人工
format|formatting|格式化|排版
lint|linter|代码检查|静态检查
style|风格|样式
convention|standard|规范|约定
rule|规则|规矩
policy|政策|策略
template|模板|范本
example|sample|例子|示例|样例|例如
feature|功能|特性
requirement|需求
design|设计
architecture|架构
prototype|原型
pilot|trial|trial run|试点|试运行
project|项目
product|产品
task|job|to-do|todo|任务|待办
goal|aim|objective|目标
deadline|due date|cut-off|cutoff|due|截止|截止日期|最后期限|截止日
milestone|里程碑
schedule|timetable|日程|时间表|排期
sprint|iteration|迭代|冲刺
priority|优先级|优先
budget|预算
cost|price|费用|价格|成本|花费
pay|payment|付款|支付|付
invoice|bill|发票|账单
order|订单
refund|money back|退款
salary|wage|pay|工资|薪水
contract|agreement|合同|协议
vendor|supplier|供应商|供货商
team|group|团队|小组|组
colleague|coworker|co-worker|teammate|同事
boss|manager|supervisor|上司|主管|经理|领导
owner|responsible|in charge|own|owned|take care of|look after|handle|负责|负责人|主管|管|归
contact|contact person|point of contact|get in touch|reach out|联系人|对接人|联系|对接
maintain|maintenance|look after|维护
maintainer|维护者|维护人
member|成员
guest|visitor|访客|来宾|客人
student|pupil|学生|学员
teacher|instructor|老师|教师|讲师
doctor|physician|医生|大夫
child|kid|children|孩子|小孩|儿童
parent|家长|父母
wife|妻子|太太|老婆
husband|丈夫|老公
mother|mom|mum|妈妈|母亲
father|dad|爸爸|父亲
friend|朋友
neighbour|neighbor|邻居
dog|狗
cat|猫
live|reside|dwell|home|居住|住|住在|家在|定居
work|work for|工作|上班|任职
office|办公室
home|house|家|家里
city|town|城市
street|road|街|路
door|门
gate|大门
room|房间
building|大楼|楼
floor|storey|楼层|层|楼
warehouse|depot|仓库|库房
shop|store|商店|店|门店|店铺
library|图书馆
school|学校
hospital|医院
restaurant|餐厅|饭馆
greenhouse|大棚|温室
car|vehicle|车|汽车
train|火车
flight|plane|航班|飞机
ticket|票|车票
travel|trip|journey|出差|旅行
holiday|vacation|leave|day off|time off|休假|假期|放假|年假
illness|sick|ill|生病|病
allergic|allergy|allergic to|过敏
vegetarian|吃素|素食
eat|have a meal|吃
drink|喝
food|meal|餐|食物
lunch|午饭|午餐
breakfast|早饭|早餐
dinner|supper|晚饭|晚餐
tea|茶
coffee|咖啡
water|水
plant|植物
water the plants|watering|浇水|浇
phone|mobile phone|cell phone|smartphone|mobile|手机
computer|laptop|电脑|笔记本
keyboard|键盘
screen|monitor|display|屏幕|显示器
printer|打印机
sensor|传感器|感应器
device|appliance|设备|装置|器件
battery|电池
camera|摄像头|相机
picture|image|photo|图片|照片|图像
video|clip|视频|录像
audio|sound|音频|声音
music|音乐
language|语言
english|in english|英文|英语
chinese|in chinese|mandarin|中文|汉语|普通话
german|德文|德语
french|法文|法语
japanese|日文|日语
translate|translation|翻译
word|词|单词
sentence|句子|句
paragraph|段落|段
page|页|页面
character|字符|字
text|文本|文字
summary|summarise|summarize|sum up|总结|摘要|概括|汇总
short|brief|concise|terse|简短|简洁|短|精简
long|lengthy|长|冗长
big|large|huge|大
small|little|tiny|小
new|新|新的
old|existing|legacy|老|旧|老的|旧的|遗留
good|fine|well|好
bad|poor|坏|差
important|essential|crucial|key|重要|关键
urgent|pressing|紧急|加急
easy|simple|容易|简单
hard|difficult|困难|难
correct|right|proper|正确|对
wrong|incorrect|错|不对|不正确
same|identical|equal|the same|相同|同样|一样|一致
different|distinct|不同|不一样
free|free of charge|no charge|at no cost|gratis|免费
empty|blank|空|空的
full|满|满了
complete|entire|whole|full|完整|整个|全部
part|portion|部分
half|一半
rest|remainder|remaining|其余|剩下|剩余
total|in all|altogether|in total|overall|总共|一共|共|总计|合计
average|mean|on average|平均
daily|every day|each day|per day|a day|once a day|day by day|每天|每日|天天|日常
night|nightly|at night|every night|夜里|夜间|夜|每晚|每夜|每天夜里|每天晚上|每天夜间
morning|in the morning|早上|上午|早晨
afternoon|in the afternoon|下午
evening|in the evening|晚上|傍晚
weekly|every week|each week|per week|a week|once a week|每周|每星期|每个星期|每礼拜
monthly|every month|each month|per month|a month|once a month|每月|每个月|按月
quarterly|every quarter|each quarter|每季度|每个季度
yearly|annual|annually|every year|each year|per year|a year|once a year|每年|年度
hourly|every hour|each hour|per hour|an hour|每小时|每个小时
weekend|at the weekend|周末
weekday|workday|working day|business day|工作日
monday|mondays|周一|星期一|礼拜一|每周一|每星期一|每个星期一|每个周一|每礼拜一|每个礼拜一|逢周一|mon
tuesday|tuesdays|周二|星期二|礼拜二|每周二|每星期二|每个星期二|每个周二|每礼拜二|每个礼拜二|逢周二|tue|tues
wednesday|wednesdays|周三|星期三|礼拜三|每周三|每星期三|每个星期三|每个周三|每礼拜三|每个礼拜三|逢周三|wed
thursday|thursdays|周四|星期四|礼拜四|每周四|每星期四|每个星期四|每个周四|每礼拜四|每个礼拜四|逢周四|thu|thur|thurs
friday|fridays|周五|星期五|礼拜五|每周五|每星期五|每个星期五|每个周五|每礼拜五|每个礼拜五|逢周五|fri
saturday|saturdays|周六|星期六|礼拜六|每周六|每星期六|每个星期六|每个周六|每礼拜六|每个礼拜六|逢周六
sunday|sundays|周日|星期日|星期天|周天|礼拜天|每周日|每星期日|每个星期日|每个周日|每礼拜日|每个礼拜日|逢周日|礼拜日|每周天|每星期天|每个星期天|每个周天|每礼拜天|每个礼拜天|逢周天
before|prior to|ahead of|earlier than|until|之前|以前|前
after|following|later than|from|once|afterwards|after that|after which|then|之后|以后|后|然后
during|while|in the course of|期间|当中
at the same time|simultaneously|concurrently|同时
now|at present|these days|目前|现在|当前
soon|shortly|尽快|马上|立刻
first|at first|先|首先
last|final|最后
next|下一个|接下来
previous|last|preceding|prior|上一个|上个|前一个|之前的
every|each|per|每|每个|每次|每条|每位|每人
both|两者|两个都
only|solely|exclusively|nothing but|只|仅|仅仅|只有|只能|只用|唯一
together|jointly|一起|共同
separate|separately|apart|分开|单独
again|再|再次|又
never|从不|从来不|绝不
sometimes|occasionally|有时|偶尔
usually|mostly|as a rule|normally|通常|一般|平时|大多
often|frequently|常常|经常
about|around|roughly|approximately|大约|大概|左右|约
exactly|precisely|正好|恰好
because|since|as|due to|owing to|because of|therefore|so that|因为|由于|因|所以
reason|原因|理由
problem|trouble|difficulty|问题|麻烦
solution|办法|方案|解决办法
cause|lead to|result in|导致|引起|造成
way|approach|方式|做法|办法
step|步骤|步
process|procedure|流程|过程
result|outcome|结果
effect|impact|影响
help|assist|support|帮助|协助|帮忙
helpful|useful|of help|有用|有帮助
damage|harm|hurt|损坏|损害|伤害
protect|safeguard|保护
safe|secure|安全
secret|confidential|保密|机密|秘密
public|公开|公共
private|私有|私人
internal|in-house|内部
external|outside|外部
shared|share|共享|共用|分享
shared drive|network drive|共享盘|公共盘
upload|上传
download|下载
import|导入
export|导出
print|打印
scan|扫描|扫码
sign|签|签字|签名
input|输入
output|输出
frontend|front end|front-end|前端
backend|back end|back-end|后端
website|site|web site|网站
app|application|应用|应用程序|软件
web page|网页
button|按钮
color|colour|颜色
dark mode|dark theme|深色模式|暗色模式|暗黑模式
red|红|红色
green|绿|绿色
blue|蓝|蓝色
black|黑|黑色
white|白|白色
yellow|黄|黄色
user|使用者|用户
admin|administrator|管理员
data|数据
amount|quantity|sum|金额|数量|数额
integer|whole number|整数
float|floating point|floating-point number|浮点|浮点数
cent|cents|分
temperature|温度
humidity|湿度
weight|重量
size|尺寸|大小
length|长度
height|高度
speed|速度
capacity|容量
limit|cap|ceiling|上限|限制|限额|封顶
stock|inventory|库存|存货
delivery|shipping|shipment|配送|送货|发货
package|parcel|包裹|快递
key|钥匙
lock|锁
closed|shut|关门|关闭
open|打开|开放|开门
early return|提前返回|尽早返回
nesting|nested|嵌套
naming|命名
snake case|snake_case|下划线命名|蛇形命名
camel case|camelcase|驼峰|驼峰命名
imperative|imperative mood|祈使句|祈使语气
type check|typecheck|type checking|类型检查
refactor|refactoring|重构
debug|debugging|调试
performance|性能
security|安全
feedback|反馈
question|问题|疑问|提问
choice|选择
trade-off|tradeoff|pros and cons|利弊|取舍|优缺点
opinion|view|意见|看法
decide later|hanging|open-ended|悬着
silently|without telling|without a word|quietly|without notice|悄悄|默默|静默
convert|turn into|resample|转换|转成|换成
reboot|restart|重启
shut down|power off|turn off|关机|停机
upcoming|coming|即将
expire|run out|过期|到期|失效
renew|extend|续|续期|续借
borrow|take out|借|借用
lend|借出
return|give back|还|归还
buy|purchase|买|购买|采购
sell|卖|出售|销售
hire|recruit|招|招聘|招人
leave|quit|depart|离开|离职
join|加入|入职
train|training|培训|训练
course|class|课|课程
exam|考试
practice|练习
read only|read-only|只读
pinned|置顶
archive|归档|存档
trash|bin|recycle bin|回收站|垃圾箱
split|divide|拆分|拆|分成
combine|bundle|join|组合|合在一起
group|分组
sort|order by|排序
filter|筛选|过滤
limit|restrict|限制
block|阻止|拦截|挡住
skip|leave out|omit|跳过|略过|省略
ignore|disregard|忽略|无视
record|write down|note down|记录|记下
count|计数|统计
measure|measurement|测量|度量
calculate|compute|计算|算
round|rounded|四舍五入|取整
compare|comparison|比较|对比
match|匹配
guess|assume|assumption|猜|猜测|假设
repeat|重复
happen|occur|take place|发生|举行|进行
belong|属于
contain|hold|包含|含有
consist|make up|组成
depend|取决于|依赖
mean|stand for|意思是|表示|指
live|live at|在
staff|employees|personnel|workers|员工|职员|人员
company|firm|公司
department|部门
headquarters|head office|总部
intern|trainee|实习生
engineer|developer|programmer|工程师|开发者|开发人员|程序员
designer|设计师
tester|qa|测试人员
on call|on-call|on duty|值班|轮值
shift|班|班次
rotate|rotation|轮换|轮流
batch|at a time|批|每批|一批|分批
page|呼|呼叫
fail|break|go wrong|crash|挂|挂了|出错|出问题
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

/** Entries of words with one meaning; a word may stand in several. */
export const meanings: readonly (readonly string[])[] = lines
  .trim()
  .split('\n')
  .map((line) => line.split('|'))
