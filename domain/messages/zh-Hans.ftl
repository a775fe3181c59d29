# 通知的简体中文文本。变量的含义见 en.ftl。

somebody = 有人
who =
    { $others ->
        [0] { $name }{" "}
       *[other] { $name } 和其他 { $others } 人
    }

like = { who }赞了你的{ $thing }。
react = { who }用 { $reactions } 回应了你的{ $thing }。
react-unnamed = { who }回应了你的{ $thing }。
repost = { who }转发了你的{ $thing }。
follow = { who }关注了你。
follow-request = { who }请求关注你。
follow-accepted = { who }接受了你的关注请求。
comment = { who }评论了你的{ $thing }。
reply = { who }回复了你的{ $thing }。
quote = { who }引用了你的{ $thing }。
mention = { who }在{ $thing }中提到了你。
new-post = { who }发布了新的{ $thing }。

rejected = 你的{ $thing }未通过审核：{ $reason }
appeal-granted = 你的申诉已通过：{ $reason }
appeal-denied = 你的申诉被驳回：{ $reason }
suspended = 版主封禁了你的帐号：{ $reason }
held = 你发布的内容在版主审核前不会公开：{ $reason }
comment-deleted = 版主删除了你的评论。
comment-deleted-by-owner = 内容的所有者删除了你的评论。
collection-private = 你的收藏夹已被设为私密：{ $reason }
collection-free = 你可以重新公开你的收藏夹：{ $reason }
labeled = 自动审核为你发布的内容添加了标签：{ $reason }
labels-set = 版主将你的{ $thing }的标签设为{ $labels }：{ $reason }
labels-removed = 版主移除了你的{ $thing }的标签：{ $reason }
warned = 版主向你发出警告：{ $reason }
report-accepted = 你的举报已被受理：{ $reason }
report-dismissed = 你的举报未被受理：{ $reason }
report-moot = 你举报的内容已被删除。
against-rules = 违反规则

thing-post = 帖子
thing-comment = 评论
thing-video = 视频
thing-article = 文章
thing-recipe = 菜谱
thing-bio = 简介
thing-display-name = 昵称
thing-handle = 用户名
thing-avatar = 头像
thing-other = 内容
thing-unknown = 内容
