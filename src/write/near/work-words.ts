/** Software, work, places and measures of every day. One meaning a line; see `meanings.ts`. */

export const workWords = `
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
`
