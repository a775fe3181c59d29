# 演示应用和审核控制台共用的文本。变量的含义见 en/shared.ftl。

language = 语言
language-not-loaded = 无法加载此语言。
no-connection = 无法连接。请重试。
edited = 已编辑
unknown-user = 未知用户
loading = 正在加载…
show-more = 显示更多
try-again = 重试
video = 视频
audio = 音频
to-start = 回到首页
not-loaded = 无法加载。
newest-not-loaded = 无法加载最新内容。
some-unavailable = 部分内容暂时无法显示，恢复后会自动出现。
all-unavailable = 内容暂时无法显示，恢复后会自动出现。

in-review = 审核中
own-status-PENDING = 正在发布…
own-status-REJECTED = 未通过审核

count-comments =
    { $count ->
        [unknown] 评论数未知
       *[other] { $count } 条评论
    }
count-followers =
    { $count ->
        [unknown] 粉丝数未知
       *[other] { $count } 位粉丝
    }
count-following =
    { $count ->
        [unknown] 关注数未知
       *[other] 关注 { $count } 人
    }
count-likes =
    { $count ->
        [unknown] 点赞数未知
       *[other] { $count } 个赞
    }
count-posts =
    { $count ->
        [unknown] 帖子数未知
       *[other] { $count } 篇帖子
    }
count-reactions =
    { $count ->
        [unknown] 回应数未知
       *[other] { $count } 个回应
    }
count-replies =
    { $count ->
        [unknown] 回复数未知
       *[other] { $count } 条回复
    }
count-reposts =
    { $count ->
        [unknown] 转发数未知
       *[other] { $count } 次转发
    }
count-saves =
    { $count ->
        [unknown] 收藏数未知
       *[other] { $count } 次收藏
    }
count-views =
    { $count ->
        [unknown] 浏览数未知
       *[other] { $count } 次浏览
    }
new-posts = 显示 { $count } 篇新帖子
new-comments = 显示 { $count } 条新评论
